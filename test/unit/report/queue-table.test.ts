import { expect, it } from "vitest";
import { queueTable } from "../../../src/core/report/queue-table.js";
import { aRun, aTurn, counts } from "../trajectory/samples.js";

const passed = aTurn(1, { counts: counts({ Core: { passed: 2, failed: 0, skipped: 0 } }) }, { erosion: 0.2 });
const failed = aTurn(
  2,
  { verdict: "failed", counts: counts({ Core: { passed: 1, failed: 1, skipped: 0 } }) },
  { erosion: 0.4 },
);

it("has a row for each problem and agent over all attempts, and one for each agent over all problems", () => {
  const both = aRun([passed, failed]);
  const entry = { problem: "shelf", agent: "mine", finished: true, run: both };
  const { columns, rows } = queueTable([
    entry,
    { ...entry, agent: "other", finished: false, run: undefined },
    { ...entry, run: aRun([passed, passed]) },
    { ...entry, problem: "kit" },
  ]);
  expect(columns.map(({ title }) => title)).toEqual([
    ...["problem", "agent", "finished", "strict", "isolated", "core", "partial", "erosion"],
  ]);
  const share = (percent: number): string => `${percent}\u202f%`;
  expect(rows).toEqual([
    ["shelf", "mine", "2 of 2", share(75), share(75), share(75), share(88), "0.30"],
    ["shelf", "other", "0 of 1", "–", "–", "–", "–", "–"],
    ["kit", "mine", "1 of 1", share(50), share(50), share(50), share(75), "0.40"],
    ["all", "mine", "3 of 3", share(67), share(67), share(67), share(83), "0.33"],
    ["all", "other", "0 of 1", "–", "–", "–", "–", "–"],
  ]);
});

it("says nothing of an agent that took no turn, and leaves out what a cancel kept from being judged", () => {
  const notReached = aTurn(2, { verdict: "not-reached" });
  const entry = { problem: "shelf", agent: "mine", finished: false };
  const none = aRun([aTurn(1, { verdict: "not-reached" }), notReached], { state: "cancelled" });
  const some = aRun([passed, notReached], { state: "cancelled" });
  const { rows } = queueTable([
    { ...entry, run: none },
    { ...entry, agent: "other", run: some },
    { ...entry, agent: "third", finished: true, run: aRun([failed, notReached]) },
  ]);
  expect(rows.map(([, agent, , strict]) => [agent, strict])).toEqual([
    ["mine", "–"],
    ["other", "100\u202f%"],
    ["third", "0\u202f%"],
  ]);
});
