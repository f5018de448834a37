import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SlopLensError, sentencesOf } from "../../../src/core/model/errors.js";
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

function refusal(text: string): string {
  try {
    parsePolicy(text, "p.yaml");
  } catch (error) {
    return sentencesOf(SlopLensError.from(error));
  }
  throw new Error(`${text} is taken`);
}

it.each([
  ["[]", /must be a mapping of pass, attempts, start, session, limits/u],
  ["pass: [core-cases]", /"pass" must be one of any, .+, all-core-cases, not a list\. /u],
  ["attempts: 4", /"attempts" must be a mapping, such as \{ independent: 4 \}/u],
  [
    "limits: { processes: 5 }",
    /Unknown key "processes" in "limits"; known are seconds, .+, retries, network\. /u,
  ],
  ["limits: { network: example.com }", /must be one of bridge, none, or a list of hosts such as \[api/u],
  ["limits: { network: ['http://example.com'] }", /lists hosts, .+, and not "http:\/\/example\.com"/u],
  ["pass: sometimes", /"pass" must be one of/u],
  ["attempts: { independent: 2, roundwise: 2 }", /either independent or roundwise/u],
  ["attempts: { independent: 0 }", /from 1 to 1000/u],
  ["attempts: { roundwise: 1000000000 }", /from 1 to 1000/u],
  ["limits: { seconds: -1 }", /0 for no limit/u],
  ["limits: { pids: 1.5 }", /0 for the default/u],
])("refuses %s", (text, message) => {
  expect(refusal(text)).toMatch(message);
});

it("tells all faults of a policy at once, each at its place", () => {
  const text = "pass: sometimes\nlimits:\n  seconds: 1e3\n  processes: 5\n";
  expect(refusal(text)).toMatch(
    /^p\.yaml:1:1: "pass" must be .+ · 3:3: "seconds" must be .+, in decimals · 4:3: Unknown key "processes" .+\. /u,
  );
});

it("takes all that its own words offer for the network", () => {
  const network = (text: string) => parsePolicy(`limits: { network: ${text} }`, "p.yaml").limits.network;
  expect(["bridge", "none", "", "[]"].map(network)).toEqual(["bridge", "none", undefined, { hosts: [] }]);
  const hosts = ["api.example.com", "host:8080", "*.example.com", "10.1.2.3:8080", "[::1]:80"];
  expect(network(JSON.stringify(hosts))).toEqual({ hosts });
});

it("has all its keys, each with its bounds, in docs/POLICIES.md", async () => {
  const guide = await readFile("docs/POLICIES.md", "utf8");
  const example = /```yaml\n(?<text>[^`]+)```/u.exec(guide)?.groups?.["text"] ?? "";
  expect(parsePolicy(example, "careful.yaml")).toMatchObject({ name: "careful", pass: "core-cases" });
  const rows = guide.split("\n");
  const known = (text: string): string[] =>
    (/known are (?<keys>[\w, ]+)/u.exec(refusal(text))?.groups?.["keys"] ?? "").split(", ");
  const limits = known("limits: { qqqqqq: 1 }");
  expect(limits).toHaveLength(11);
  for (const key of [...known("qqqqqq: 1"), ...known("attempts: { qqqqqq: 1 }"), ...limits]) {
    expect(rows.filter((row) => row.startsWith(`| \`${key}\` `))).toHaveLength(1);
  }
  for (const key of limits.filter((one) => one !== "network")) {
    const bounds = /must be a (?<bounds>.+)\. /u.exec(refusal(`limits: { ${key}: x }`))?.groups?.["bounds"];
    expect(rows.find((row) => row.startsWith(`| \`${key}\` `))).toContain(bounds);
  }
});
