import process from "node:process";
import { l10n, type SecretStorage } from "vscode";
import { environmentSecrets, firstOf, type SecretSource } from "../../core/agent/program/secrets.js";
import type { Questions } from "./questions.js";

const PREFIX = "slopLens.agent.";

/** The keys of agents: what the user stored in VS Code, else the environment that VS Code was started with. */
export class AgentKeys implements SecretSource {
  private readonly source: SecretSource;

  constructor(private readonly store: SecretStorage) {
    const stored = { get: async (name: string) => store.get(PREFIX + name) };
    this.source = firstOf([stored, environmentSecrets(process.env)]);
  }

  get(name: string): Promise<string | undefined> {
    return this.source.get(name);
  }

  /** Whether VS Code itself keeps a value for a name. */
  async isStored(name: string): Promise<boolean> {
    return (await this.store.get(PREFIX + name)) !== undefined;
  }

  /**
   * Asks for a value and stores it.
   * @param purpose whom it is for, for the question
   * @returns whether there is one now
   */
  async ask(ask: Questions, name: string, purpose: string): Promise<boolean> {
    const value = await ask.secret({
      id: `key:${name}`,
      step: name,
      placeHolder: l10n.t("Kept by VS Code, given only to the container of {0}", purpose),
    });
    if (value === undefined) return false;
    await this.store.store(PREFIX + name, value);
    return true;
  }

  async remove(name: string): Promise<void> {
    await this.store.delete(PREFIX + name);
  }
}
