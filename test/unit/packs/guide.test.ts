import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { readPack } from "../../../src/core/problem/pack.js";
import { layFiles, ledgerPack, ROOT, temporaryFolder } from "./support.js";

const GUIDE = path.join(ROOT, "docs/PROBLEMS.md");

it("shows problem authors a pack without fault", async () => {
  const guide = await readFile(GUIDE, "utf8");
  const shown = [...guide.matchAll(/^`(?<name>greet\/\S+)`:\n\n```\w+\n(?<text>[^]+?)^```$/gmu)];
  const files = shown.map(({ groups = {} }) => [groups["name"] ?? "", groups["text"] ?? ""] as const);
  expect(files.map(([name]) => name)).toContain("greet/solutions/checkpoint_2/greet.py");
  const folder = await temporaryFolder();
  await layFiles(folder, Object.fromEntries(files));
  const { problem, faults } = await readPack(path.join(folder, "greet"));
  expect(faults).toEqual([]);
  expect(problem?.checkpoints).toHaveLength(2);
});

it("tells them each key that a checkpoint may have", async () => {
  const rows = (await readFile(GUIDE, "utf8")).split("\n");
  const config = "name: ledger\ncheckpoints: { checkpoint_1: { version: 1, qqqqqq: 1 } }\n";
  const { faults } = await readPack(await ledgerPack({ "config.yaml": config }));
  const known = faults.map(({ message }) => /known are (?<keys>.+)/u.exec(message)?.groups?.["keys"]);
  const keys = known.find((one) => one !== undefined)?.split(", ") ?? [];
  expect(keys).toContain("include_prior_tests");
  for (const key of keys) expect(rows.some((row) => row.startsWith(`| \`${key}\` `))).toBe(true);
});
