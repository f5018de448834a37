import process from "node:process";

import type { Environment } from "../model/environment.js";

/** Variables of the host that describe the host's own files, user or interpreter and mislead anybody elsewhere. */
const HOST_ONLY =
  /^(PATH|HOME|PWD|OLDPWD|LANG|SHELL|USER|LOGNAME|HOSTNAME|TMPDIR|TMP|TEMP|SHLVL|_|PYTHONPATH|PYTHONHOME|VIRTUAL_ENV|LD_.*|DYLD_.*|XDG_.*|NODE_.*|VSCODE_.*|ELECTRON_.*|SLOP_LENS_.*)$/u;

export interface OwnVariables {
  readonly path: readonly string[];
  readonly home: string;
}

/**
 * The variables of a session, from weak to strong: the host's (when the environment includes them), the
 * environment's, the caller's, and our own PATH; HOME and LANG are ours unless the environment names them.
 */
export function sessionVariables(
  environment: Environment,
  asked: Readonly<Record<string, string>>,
  own: OwnVariables,
): Record<string, string> {
  return {
    ...(environment.includeOsEnv ? hostVariables() : {}),
    HOME: own.home,
    LANG: "C.UTF-8",
    ...environment.env,
    ...asked,
    PATH: [...new Set(own.path)].join(":"),
  };
}

function hostVariables(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !HOST_ONLY.test(name));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The folders of a PATH. */
export function pathFolders(text: string | undefined): string[] {
  return (text ?? "").split(":").filter((folder) => folder !== "");
}

/** Variables for the installers: what the environment gives, and the host's when it includes them. */
export function installVariables(environment: Environment): Record<string, string> {
  return { ...(environment.includeOsEnv ? hostVariables() : {}), ...environment.env };
}
