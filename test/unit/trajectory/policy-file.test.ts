import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DEFAULT_LIMITS, DEFAULT_POLICY } from "../../../src/core/model/policy.js";
import { SHIPPED_POLICIES, shippedPolicy } from "../../../src/core/model/shipped-policies.js";
import { policyWords } from "../../../src/core/report/policy-words.js";
import { findPolicy, parsePolicy, readPolicies } from "../../../src/core/trajectory/policy-file.js";

let workspace: string;

beforeEach(async () => {
  workspace = await mkdtemp(path.join(os.tmpdir(), "slop-lens-policies-"));
  await mkdir(path.join(workspace, ".slop-lens/policies"), { recursive: true });
});

afterEach(async () => {
  await rm(workspace, { recursive: true });
});

const CAREFUL = `pass: core-cases
attempts: { roundwise: 3, beam: 2 }
session: continued
limits:
  seconds: 0
  problem_cost_usd: 2.5
  network: [api.example.com]
`;

it("ships policies that are called what they do", () => {
  for (const name of SHIPPED_POLICIES) expect(shippedPolicy(name)?.name).toBe(name);
  expect(shippedPolicy("independent(3)")?.attempts).toEqual({ kind: "independent", count: 3 });
  expect(shippedPolicy("roundwise")?.attempts).toEqual({ kind: "roundwise", count: 4, beam: 1 });
  expect(shippedPolicy("roundwise(2, 3)")).toBeUndefined();
  expect(shippedPolicy("independent(0)")).toBeUndefined();
  expect(shippedPolicy("independent(1000000000)")).toBeUndefined();
});

it("finds a policy of the workspace by its name, with what it leaves out as in `any`", async () => {
  await writeFile(path.join(workspace, ".slop-lens/policies/careful.yaml"), CAREFUL);
  const policy = await findPolicy("careful", workspace);
  expect(policy).toEqual({
    ...DEFAULT_POLICY,
    name: "careful",
    pass: "core-cases",
    attempts: { kind: "roundwise", count: 3, beam: 2 },
    session: "continued",
    limits: {
      ...DEFAULT_LIMITS,
      seconds: undefined,
      problemCostUsd: 2.5,
      network: { hosts: ["api.example.com"] },
    },
  });
  expect(policyWords(policy)).toBe("careful · roundwise(3, 2) · session continued");
  await expect(findPolicy("careless", workspace)).rejects.toMatchObject({ code: "bad-input" });
});

it("lists the workspace's own, and tells what is wrong with the others", async () => {
  const folder = path.join(workspace, ".slop-lens/policies");
  await writeFile(path.join(folder, "careful.yaml"), CAREFUL);
  await writeFile(path.join(folder, "wrong.yml"), "pass: any\nlimit: {}\n");
  await writeFile(path.join(folder, "notes.txt"), "not a policy");
  const { policies, faults } = await readPolicies(workspace);
  expect(policies.map(({ name }) => name)).toEqual(["careful"]);
  expect(faults.map(({ message }) => message)).toEqual([
    expect.stringMatching(/wrong\.yml:2:1: Unknown key "limit"/u),
  ]);
});

it.each([
  ["[]", /must be a mapping/u],
  ["pass: sometimes", /"pass" must be one of/u],
  ["attempts: { independent: 2, roundwise: 2 }", /either independent or roundwise/u],
  ["attempts: { independent: 0 }", /from 1 to 1000/u],
  ["attempts: { roundwise: 1000000000 }", /from 1 to 1000/u],
  ["limits: { seconds: -1 }", /0 for no limit/u],
])("refuses %s", (text, message) => {
  expect(() => parsePolicy(text, "p.yaml")).toThrow(message);
});
