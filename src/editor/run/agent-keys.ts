import process from "node:process";
import * as vscode from "vscode";
import { environmentSecrets, firstOf, type SecretSource } from "../../core/agent/program/secrets.js";

const PREFIX = "slopLens.agent.";

/** The keys of agents: what the user stored in VS Code, else the environment that VS Code was started with. */
export class AgentKeys implements SecretSource {
  private readonly source: SecretSource;

  constructor(private readonly store: vscode.SecretStorage) {
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
  async ask(name: string, purpose: string): Promise<boolean> {
    const value = await vscode.window.showInputBox({
      title: `Slop Lens: ${name}`,
      prompt: `Kept by VS Code, given only to the container of ${purpose}`,
      password: true,
      ignoreFocusOut: true,
    });
    const given = value?.trim() ?? "";
    if (given === "") return false;
    await this.store.store(PREFIX + name, given);
    return true;
  }

  async remove(name: string): Promise<void> {
    await this.store.delete(PREFIX + name);
  }
}
