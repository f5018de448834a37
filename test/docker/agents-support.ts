import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

import { openSandbox, trajectoryServices } from "../../src/cli/sandboxes.js";
import { programAgent } from "../../src/core/agent/program/program-agent.js";
import { readAgent } from "../../src/core/agent/program/catalogue.js";
import { environmentSecrets } from "../../src/core/agent/program/secrets.js";
import type { Environment } from "../../src/core/model/environment.js";
import { DEFAULT_POLICY, type RunPolicy } from "../../src/core/model/policy.js";
import type { Run, RunEvent } from "../../src/core/model/run.js";
import type { Turn } from "../../src/core/model/turn.js";
import { parseEnvironment } from "../../src/core/problem/environment-file.js";
import { readPack } from "../../src/core/problem/pack.js";
import { runTrajectory } from "../../src/core/trajectory/loop.js";
import { IMAGE } from "../support/image.js";
import { ModelEndpoint } from "../support/model-endpoint/endpoint.js";
import { bridgeGateway } from "./bridge.js";
import { installation, lay, wordPack } from "../unit/cli/support.js";

/** Looks like a key and is none. */
export const KEY = "sk-scripted-7f3a9b2c4d5e6f708192a3b4c5d6e7f8";
const never = new AbortController().signal;

/** npm in a container trusts what the image trusts. */
const environment: Environment = parseEnvironment(
  `type: docker
name: test
docker: { image: "${IMAGE}" }
environment: { env: { NODE_EXTRA_CA_CERTS: /etc/ssl/certs/ca-certificates.crt } }
commands: { entry_file: "{entry_file}.py", command: python }
`,
  "test.yaml",
);

export interface AgentWish {
  readonly agent: string;
  readonly model: string;
  readonly thinking?: string;
  /** The agent's variables for the endpoint's address, and its key. */
  readonly env: Readonly<Record<string, string>>;
  readonly checkpoints?: readonly string[];
  readonly policy?: RunPolicy;
}

/** A trajectory of a real agent through the pack of words, with a scripted model. */
export class AgentStage implements AsyncDisposable {
  readonly events: RunEvent[] = [];

  private constructor(
    readonly endpoint: ModelEndpoint,
    /** Where containers find the endpoint. */
    readonly host: string,
    readonly root: string,
  ) {}

  static async open(): Promise<AgentStage> {
    const root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-agents-"));
    await lay(root, wordPack("words"));
    return new AgentStage(await ModelEndpoint.start(), await bridgeGateway(), root);
  }

  get address(): string {
    return `http://${this.host}:${this.endpoint.port}`;
  }

  async run(wish: AgentWish): Promise<Run> {
    const { problem } = await readPack(path.join(this.root, "words"));
    if (problem === undefined) throw new Error("the pack of words does not read");
    const definition = await readAgent(wish.agent, [installation.files.agents], this.root);
    const agent = await programAgent(definition, {
      model: wish.model,
      thinking: wish.thinking,
      secrets: environmentSecrets(wish.env),
      hostEnv: wish.env,
    });
    const sandbox = await openSandbox(installation, environment, never);
    await using analyzer = installation.createAnalyzer();
    return await runTrajectory(
      {
        problem,
        agent,
        environment,
        prompt: { name: "plain", source: "{{ spec }}" },
        runsFolder: path.join(this.root, "runs"),
        policy: wish.policy ?? DEFAULT_POLICY,
        analysis: installation.analysis,
        checkpoints: wish.checkpoints,
      },
      trajectoryServices(installation, sandbox, analyzer),
      (event) => {
        this.events.push(event);
      },
      never,
    );
  }

  /** Everything that was told, as text. */
  get told(): string {
    return JSON.stringify(this.events);
  }

  /** The model writes the word that it is asked for, in one call of the shell, then says that it is done. */
  scriptSolution(before = ""): void {
    this.endpoint.script = ({ prompt, answers }) => {
      const word = /word\d/u.exec(prompt)?.[0] ?? "nothing";
      if (answers > 0) return { kind: "text", text: `Wrote ${word}.` };
      return { kind: "shell", command: `${before}echo "print('${word}')" >> words.py` };
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endpoint[Symbol.asyncDispose]();
    await rm(this.root, { recursive: true, force: true });
  }
}

export function turnsOf(run: Run): readonly Turn[] {
  return run.problems[0]?.turns ?? [];
}

export function fileOf(run: Run, checkpoint: number, name: string): Promise<string> {
  return readFile(path.join(run.folder, `words/checkpoint_${checkpoint}`, name), "utf8");
}

/** POSIX paths of all files below a folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const stats = await Promise.all(names.map((name) => stat(path.join(folder, name))));
  return names.filter((_, index) => stats[index]?.isFile() === true).sort();
}
