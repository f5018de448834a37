/** An SCB environment: where agent and tests live. Field meanings follow SCB's environment YAML. */
export interface Environment {
  readonly name: string;
  readonly type: "docker" | "local";
  readonly env: Readonly<Record<string, string>>;
  readonly includeOsEnv: boolean;
  readonly setup: {
    readonly commands: readonly string[];
    readonly evalCommands: readonly string[];
    readonly resumeCommands: readonly string[];
  };
  readonly commands: {
    /** Format string with `{entry_file}`, for example `{entry_file}.py`. */
    readonly entryFile: string;
    /** Command that starts the entry file in the tests, for example `python`. */
    readonly command: string;
    /** The same for the agent, where it differs. */
    readonly agentCommand: string | undefined;
  };
  readonly snapshot: {
    readonly keepGlobs: readonly string[] | undefined;
    readonly ignoreGlobs: readonly string[];
  };
  readonly docker: DockerSettings | undefined;
  readonly local: { readonly requiresTty: boolean; readonly shell: string | undefined };
  /** The YAML text as read, kept for the run folder. */
  readonly source: string;
}

export interface DockerSettings {
  readonly image: string;
  readonly workdir: string;
  /** Host path → `container path[:mode]`, as in SCB's `extra_mounts`. */
  readonly extraMounts: Readonly<Record<string, string>>;
  readonly network: string | undefined;
  readonly user: string | undefined;
}
