import path from "node:path";
import { describe, expect, it } from "vitest";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { entryCommand, entryFileName } from "../../../src/core/problem/entry.js";
import { parseEnvironment, readEnvironment } from "../../../src/core/problem/environment-file.js";
import { DEFAULT_IGNORE_GLOBS } from "../../../src/core/problem/snapshot-filter.js";
import { ROOT } from "./support.js";

const FULL = `type: docker
name: python3.12
environment:
  env: { UV_CACHE_DIR: /tmp/uv }
  include_os_env: yes
setup:
  commands: [one]
  eval_commands: [two]
  resume_commands: [three]
commands:
  entry_file: "src/{entry_file}.py"
  command: uv run
  agent_command: python
snapshot:
  keep_globs: null
  ignore_globs: ["*.log"]
  compression: xz
  archive_save_dir: null
docker:
  image: example/python:3.12
  binary: podman
  workdir: /app
  mount_workspace: true
  extra_mounts:
    /certs: /etc/ssl/certs:ro
    /data: { bind: /data, mode: rw }
  network: none
  user: 0:0
`;

function faultOf(text: string): string {
  try {
    parseEnvironment(text, "env.yaml");
  } catch (error) {
    if (SlopLensError.is(error, "environment-invalid")) return error.message;
    throw error;
  }
  return "none";
}

describe("parseEnvironment", () => {
  it("reads every key of SCB's form", () => {
    expect(parseEnvironment(FULL, "env.yaml")).toEqual({
      type: "docker",
      name: "python3.12",
      env: { UV_CACHE_DIR: "/tmp/uv" },
      includeOsEnv: true,
      setup: { commands: ["one"], evalCommands: ["two"], resumeCommands: ["three"] },
      commands: { entryFile: "src/{entry_file}.py", command: "uv run", agentCommand: "python" },
      snapshot: { keepGlobs: undefined, ignoreGlobs: ["*.log"] },
      docker: {
        image: "example/python:3.12",
        workdir: "/app",
        extraMounts: { "/certs": "/etc/ssl/certs:ro", "/data": "/data:rw" },
        network: "none",
        user: "0:0",
      },
      local: { requiresTty: false, shell: undefined },
      source: FULL,
    });
  });

  it("fills in defaults", () => {
    const environment = parseEnvironment("type: local\nname: here\nlocal: { shell: /bin/sh }\n", "env.yaml");
    expect(environment).toMatchObject({
      env: {},
      includeOsEnv: false,
      commands: { entryFile: "{entry_file}", command: "python", agentCommand: undefined },
      snapshot: { keepGlobs: undefined, ignoreGlobs: DEFAULT_IGNORE_GLOBS },
      docker: undefined,
      local: { requiresTty: false, shell: "/bin/sh" },
    });
  });

  it.each([
    ["name: x\n", 'env.yaml:1:1: "type" is missing in the file'],
    ["type: dokcer\nname: x\n", 'env.yaml:1:1: "type" must be one of docker, local; did you mean "docker"?'],
    ["type: docker\nname: x\n", 'env.yaml:1:1: "docker" is missing in the file'],
    ["type: docker\nname: x\ndocker: {}\n", 'env.yaml:3:1: "image" is missing in "docker"'],
    [
      "type: local\nname: x\nsetup:\n  comands: []\n",
      'env.yaml:4:3: Unknown key "comands" in "setup"; did you mean "commands"?',
    ],
    [
      "type: local\nname: x\ndocker: { image: y }\n",
      'env.yaml:3:1: Unknown key "docker" in the file; known are type, name, environment, setup, commands, snapshot, local',
    ],
    [
      "type: local\nname: x\ncommands: { entry_file: '{file}.py' }\n",
      'env.yaml:3:13: "entry_file" may hold {entry_file} and no other field',
    ],
    [
      "type: local\nname: x\nenvironment: { env: { PORT: 80 } }\n",
      'env.yaml:3:23: "PORT" must be text (put it in quotes)',
    ],
    [
      "type: local\nname: x\nsnapshot: { compression: zip, keep_globs: '*' }\n",
      'env.yaml:3:13: "compression" must be one of gz, bz2, xz, none · 3:31: "keep_globs" must be a list of texts',
    ],
    ["- type: local\n", "env.yaml:1:1: An environment must be a mapping"],
    ["", "env.yaml:1:1: An environment must be a mapping"],
  ])("says of %j what is wrong", (text, message) => {
    expect(faultOf(text)).toBe(message);
  });

  it("names the place of broken YAML", () => {
    expect(faultOf("type: docker\nname: [\n")).toMatch(/^env\.yaml:3:1: /u);
  });
});

describe("shipped environments", () => {
  it("are docker and local, and start a solution with bare python", async () => {
    const docker = await readEnvironment(path.join(ROOT, "environments/docker.yaml"));
    const local = await readEnvironment(path.join(ROOT, "environments/local.yaml"));
    expect([docker.type, docker.docker?.image, docker.docker?.network]).toEqual([
      "docker",
      "python:3.12-slim",
      undefined,
    ]);
    expect(local.type).toBe("local");
    for (const environment of [docker, local]) {
      expect(entryCommand(environment, { entryFile: "ledger" }, "evaluation")).toBe("python ledger.py");
    }
  });
});

describe("entry", () => {
  const environment = parseEnvironment(FULL, "env.yaml");

  it("formats file and commands", () => {
    expect(entryFileName(environment, { entryFile: "a$&b" })).toBe("src/a$&b.py");
    expect(entryCommand(environment, { entryFile: "x" }, "agent")).toBe("python src/x.py");
    expect(entryCommand(environment, { entryFile: "x" }, "evaluation")).toBe("uv run src/x.py");
  });

  it("reads doubled braces as Python does", () => {
    const doubled = { ...environment, commands: { ...environment.commands, entryFile: "{{{entry_file}}}" } };
    expect(entryFileName(doubled, { entryFile: "x" })).toBe("{x}");
  });
});
