import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Command, Option } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "../../../src/cli/program.js";
import { tighter } from "../../../src/core/agent/program/budget.js";
import { parseDefinition } from "../../../src/core/agent/program/definition-file.js";
import { AMOUNTS, amountWords, decimal, isAmount, type AmountKind } from "../../../src/core/model/amounts.js";
import { parsePlan } from "../../../src/core/queue/plan-file.js";
import { parsePolicy } from "../../../src/core/trajectory/policy-file.js";
import { cli, installation, lay, silentIo, wordPack } from "./support.js";

/** What is a number to somebody and makes no sense anywhere. */
const NONSENSE = [
  "-1",
  "-0.5",
  "NaN",
  "Infinity",
  "1e300",
  "1e9",
  "0x10",
  "1,5",
  "5s",
  "",
  "99999999999999999999",
];
const KINDS = Object.keys(AMOUNTS) as AmountKind[];

it("refuses as every kind of number what is no number or beyond all bounds, and says what it may be", () => {
  for (const kind of KINDS) {
    const taken = NONSENSE.filter((text) => {
      const value = decimal(text);
      return value !== undefined && isAmount(kind, value);
    });
    expect([kind, taken]).toEqual([kind, []]);
    expect(amountWords(kind)).toMatch(/^a (?:whole )?number from [\d.]+ to \d+(?:, or 0 for [a-z ]+)?$/u);
    for (const value of [NaN, Infinity, -Infinity, -1]) expect(isAmount(kind, value)).toBe(false);
  }
});

describe("an option of the command that holds a number", () => {
  // By what its help calls the value, so that an option that is added is looked at too.
  const NUMBERS =
    /^--[\w-]+ <(?:k|b|seconds|steps|usd|times|tokens|number|GiB|attempts|in,out\[,cached\])>$/u;
  const WHOLE = /<(?:k|b|steps|times|tokens|number|attempts)>/u;
  let cwd: string;
  let options: readonly (readonly [string, Option])[];

  beforeAll(async () => {
    cwd = await mkdtemp(path.join(os.tmpdir(), "slop-lens-numbers-"));
    await lay(cwd, wordPack("words"));
    const program = buildProgram([], silentIo(cwd), installation, () => undefined);
    options = program.commands.flatMap((command: Command) =>
      command.options
        .filter(({ flags }) => NUMBERS.test(flags))
        .map((option) => [command.name(), option] as const),
    );
  });

  afterAll(async () => {
    await rm(cwd, { recursive: true });
  });

  it("is refused with what it may be", async () => {
    expect(options.length).toBeGreaterThan(20);
    for (const [command, { long, flags }] of options) {
      const told = [...NONSENSE, ...(WHOLE.test(flags) ? ["1.5"] : [])].filter(
        (text) => text !== "1,5" || long !== "--prices",
      );
      for (const text of told) {
        const { code, err } = await cli(cwd, [command, "words", `${long ?? ""}=${text}`]);
        expect([command, long, text, code, err]).toEqual([
          ...[command, long, text, 2],
          expect.stringMatching(/number from [\d.]+ to \d+|Give two or three numbers|needs a value|empty/u),
        ]);
      }
    }
  });
});

describe("a number in a YAML file", () => {
  const YAML = [
    "-1",
    "-0.5",
    ".nan",
    ".inf",
    "-.inf",
    "1e300",
    "true",
    "[1]",
    "'1e9'",
    "1e1",
    "1.0e+1",
    "0x10",
    "010",
    "1_0",
    "1:10",
    "+10",
    "5s",
    "''",
  ];
  const LIMITS = [
    ...["seconds", "cost_usd", "problem_cost_usd", "idle_seconds", "cpus"].map((key) => [key, YAML] as const),
    ...["steps", "memory_bytes", "pids", "disk_bytes", "retries"].map(
      (key) => [key, [...YAML, "1.5"]] as const,
    ),
  ] as const;
  const wrong = /p\.yaml:\d+:\d+: ".+" must be a (?:whole )?number from/u;

  it.each(LIMITS)("is refused as a policy's limit %s", (key, values) => {
    for (const value of values) {
      expect(() => parsePolicy(`limits: { ${key}: ${value} }`, "p.yaml")).toThrow(wrong);
    }
    expect(() => parsePolicy(`limits: { ${key}: 0 }`, "p.yaml")).not.toThrow();
  });

  it("is refused as a policy's attempts", () => {
    for (const key of ["independent", "roundwise", "beam"]) {
      for (const value of [...YAML, "0", "1.5", "1001"]) {
        const rounds = key === "beam" ? "roundwise: 4, " : "";
        expect(() => parsePolicy(`attempts: { ${rounds}${key}: ${value} }`, "p.yaml")).toThrow(wrong);
      }
    }
    expect(() => parsePolicy("attempts: { roundwise: 2, beam: 3 }", "p.yaml")).toThrow(
      /at most the 2 tries/u,
    );
  });

  it.each(LIMITS.filter(([key]) => /^(?:seconds|steps|cost_usd|idle_seconds|retries)$/u.test(key)))(
    "is refused as an agent's limit %s",
    (key, values) => {
      for (const value of values) {
        const { faults } = parseDefinition(`command: x\nlimits: { ${key}: ${value} }\n`, "a.yaml");
        expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/must be a/u)]);
      }
    },
  );

  it("is refused as a price, which may be 0", () => {
    const prices = (value: string): string =>
      `command: x\nprices: { input: 1, output: 1, cache_write: ${value} }\n`;
    for (const value of YAML) expect(parseDefinition(prices(value), "a.yaml").faults).toHaveLength(1);
    expect(parseDefinition(prices("0"), "a.yaml").faults).toEqual([]);
  });

  it.each([
    ["attempts", "1.5"],
    ["jobs", "1.5"],
    ["memory", "0"],
  ])("is refused as a queue's %s", async (key, another) => {
    for (const value of [...YAML, another]) {
      const text = `problems: [words]\nagents: [reference]\n${key}: ${value}\n`;
      await expect(parsePlan(text, "p.yaml", "/")).rejects.toThrow(wrong);
    }
  });

  it.each([
    ["timeout: ", "command: x"],
    ["context: ", "endpoint: http://127.0.0.1:1/v1\n    model: m"],
  ])("is refused as a queued agent's %s", async (key, agent) => {
    for (const value of YAML) {
      const text = `problems: [words]\nagents:\n  - ${agent}\n    ${key}${value}\n`;
      await expect(parsePlan(text, "p.yaml", "/")).rejects.toThrow(wrong);
    }
  });
});

it("means by 0 in an agent's limits none of its own, and by 0 retries of the run none at all", () => {
  const { definition } = parseDefinition(
    "command: x\nlimits: { seconds: 0, steps: 0, retries: 0 }\n",
    "a.yaml",
  );
  expect(definition?.limits).toMatchObject({ seconds: undefined, steps: undefined, retries: 0 });
  const run = parsePolicy("limits: { retries: 0, steps: 5 }", "p.yaml").limits;
  expect(tighter(run, { retries: 2, steps: undefined })).toMatchObject({ retries: undefined, steps: 5 });
});
