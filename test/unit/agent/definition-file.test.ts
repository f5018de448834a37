import path from "node:path";

import { describe, expect, it } from "vitest";

import { findAgents, readAgent } from "../../../src/core/agent/program/catalogue.js";
import { fillTemplate, shellWord } from "../../../src/core/agent/program/command-template.js";
import { parseDefinition } from "../../../src/core/agent/program/definition-file.js";
import { layerOf } from "../../../src/core/agent/program/install.js";
import { environmentSecrets, findSecrets } from "../../../src/core/agent/program/secrets.js";

const SHIPPED = path.resolve("agents");

function faultsOf(text: string): string[] {
  const { faults } = parseDefinition(text, "mine.yaml");
  return faults.map(({ line, column, message }) => `${line ?? 0}:${column ?? 0} ${message}`);
}

describe("an agent's file", () => {
  it("is short for a simple agent, and is named after its file", () => {
    const { definition, faults } = parseDefinition("command: my-agent < prompt\n", "/a/mine.yaml");
    expect(faults).toEqual([]);
    expect(definition).toMatchObject({ name: "mine", title: "mine", usage: "none", version: undefined });
    expect(definition === undefined ? "" : layerOf(definition)).toBeUndefined();
  });

  it("tells a misspelt key, with the one that was meant, at its place", () => {
    expect(faultsOf("command: x\nmodles: [a]\n")).toEqual([
      '2:1 Unknown key "modles" in the file; did you mean "models"?',
    ]);
    expect(faultsOf("command: x\ninstall:\n  npn: [a]\n")[0]).toContain('did you mean "npm"?');
  });

  it("tells a placeholder that there is not", () => {
    expect(faultsOf("command: x {modell}\n")).toEqual([
      '1:1 Unknown placeholder {modell}; did you mean "model"?',
    ]);
    expect(faultsOf("command: x ${HOME} $(awk '{ print }')\n")).toEqual([]);
  });

  it("takes names of variables and no values", () => {
    const [fault] = faultsOf("command: x\nsecrets:\n  required: [sk-123]\n");
    expect(fault).toContain("values do not belong here");
  });

  it("keeps folders of conversations inside HOME", () => {
    expect(faultsOf("command: x\nstate: [../etc]\n")[0]).toContain("below HOME");
    expect(faultsOf("command: x\ntranscripts: { logs: /var/log }\n")[0]).toContain("home/…");
  });

  it("pins what it installs", () => {
    expect(faultsOf('command: x\ninstall: { node: "22.20.0", npm: ["a@{version}"] }\n')[0]).toContain(
      'there is no "version"',
    );
    expect(faultsOf("command: x\ninstall: { npm: [a] }\n")[0]).toContain('"npm" needs "node"');
  });
});

describe("the shipped agents", () => {
  it("read without a fault, are pinned, and install their release", async () => {
    const { agents, faults } = await findAgents([SHIPPED]);
    expect(faults).toEqual([]);
    expect(agents.map(({ name }) => name)).toEqual(["claude-code", "codex", "gemini", "opencode"]);
    for (const agent of agents) {
      const commands = layerOf(agent)?.commands.join("\n") ?? "";
      expect(commands).toContain(`@${agent.version ?? "no version"}`);
    }
  });

  it("are named when another is asked for", async () => {
    await expect(readAgent("claude-cod", [SHIPPED], "/")).rejects.toMatchObject({
      code: "bad-input",
      message: 'There is no agent claude-cod; did you mean "claude-code"?',
    });
  });
});

describe("a command's template", () => {
  it("leaves out what has no value, with its brackets", () => {
    const command = "a {continue} [--model {model}] [--max-turns {steps}] [ -f x ] -";
    expect(fillTemplate(command, { model: shellWord("big one"), continue: "--resume" })).toEqual({
      command: "a --resume --model 'big one' [ -f x ] -",
    });
    expect(fillTemplate(command, {})).toEqual({ command: "a [ -f x ] -" });
  });

  it("tells what must be chosen", () => {
    expect(fillTemplate("a --model {model}", {})).toEqual({ missing: ["model"] });
  });

  it("gives a shell what it was given", () => {
    expect(shellWord("it's; rm -rf $HOME")).toBe(`'it'\\''s; rm -rf $HOME'`);
  });
});

describe("an agent's secrets", () => {
  const wanted = { requiredSecrets: [["A_KEY", "B_KEY"]], optionalSecrets: ["C_KEY"] };

  it("are found by any of their names", async () => {
    const found = await findSecrets(wanted, environmentSecrets({ B_KEY: "b", C_KEY: "c", D_KEY: "d" }));
    expect(found).toEqual({ values: { B_KEY: "b", C_KEY: "c" }, missing: [] });
  });

  it("are missing when they are empty", async () => {
    const found = await findSecrets(wanted, environmentSecrets({ A_KEY: "" }));
    expect(found).toEqual({ values: {}, missing: [["A_KEY", "B_KEY"]] });
  });
});
