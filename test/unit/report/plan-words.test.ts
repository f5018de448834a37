import * as l10n from "@vscode/l10n";
import { afterEach, describe, expect, it } from "vitest";
import { languages, translationOf } from "../../../scripts/lib/texts.mjs";
import { FAIL_STOP } from "../../../src/core/model/policy.js";
import type { TrajectoryRequest } from "../../../src/core/trajectory/services.js";
import { noteWords, reasonsWords } from "../../../src/core/report/plan-words.js";
import { actionWords } from "../../../src/core/report/resume-table.js";
import { lostTries, lostWords } from "../../../src/core/trajectory/lost-words.js";
import type { NoteKind, PlanNote, PlanReason, ReasonKind } from "../../../src/core/trajectory/plan-reason.js";
import { stopAfter, stopReason, type StopReason } from "../../../src/core/trajectory/stop.js";
import { aTurn, counts } from "../trajectory/samples.js";

/** Each kind with every form of its words; a kind that is new has to be named here. */
const REASONS: { readonly [Kind in ReasonKind]: Readonly<Record<string, Omit<PlanReason<Kind>, "kind">>> } = {
  stopped: {
    "The agent did not finish B2": { stop: { kind: "agent-unfinished", checkpoint: "b2" } },
    "B2 could not be evaluated": { stop: { kind: "not-evaluated", checkpoint: "b2" } },
    "B2 does not meet the policy 77": { stop: { kind: "policy-unmet", checkpoint: "b2", policy: "77" } },
  },
  "depends-on": { "depends on B2, which is redone": { checkpoint: "b2" } },
  "not-reached": { "not reached": {} },
  "asked-for": { "asked for": {} },
  "tries-there": { "2 of 3 tries are there": { there: 2, of: 3 } },
  "tries-lost": {
    "the record of the chosen try cannot be read: taken anew": { chosen: true, numbers: [] },
    "the records of the chosen try and of try 2, 3 cannot be read: taken anew": {
      chosen: true,
      numbers: [2, 3],
    },
    "the record of try 2, 3 cannot be read: taken anew": { chosen: false, numbers: [2, 3] },
  },
  "no-snapshot": { "no snapshot": { told: undefined }, "no snapshot: 77": { told: "77" } },
  infrastructure: { infrastructure: { told: undefined }, "infrastructure: 77": { told: "77" } },
  "agent-error-retried": { "agent error, retried": {} },
  "agent-error-kept": { "agent error, kept": {} },
  "agent-timeout-retried": { "agent timeout, retried": {} },
  "agent-timeout-kept": { "agent timeout, kept": {} },
  "record-unreadable": { "its record cannot be read": {} },
  "record-missing": { "no record: cut short": {} },
  "followed-gone": { "followed B2, which the problem no longer has": { checkpoint: "b2" } },
  "followed-later": { "followed B2, which comes later now": { checkpoint: "b2" } },
  "spec-changed": { "spec changed": {} },
  "prompt-changed": { "prompt changed": {} },
  "snapshot-changed": { "the snapshot is not as it was recorded": {} },
  "tests-changed": { "tests changed": {} },
  "assets-changed": { "static assets changed": {} },
  "recording-changed": { "recording changed": {} },
  "evaluation-changed": { "environment or the tests' settings changed": {} },
  "evaluation-secrets-changed": { "the environment's value of 7, 8 changed": { names: ["7", "8"] } },
  "agent-changed": { "taken by another agent, or its file or model changed": {} },
  "agent-environment-changed": { "the agent worked in another environment": {} },
  "agent-secrets-changed": { "the agent worked with another value of 7, 8": { names: ["7", "8"] } },
  "start-changed": { "what it began from changed": {} },
  "start-gone": { "what it began from is gone": {} },
};

const NOTES: { readonly [Kind in NoteKind]: Readonly<Record<string, Omit<PlanNote<Kind>, "kind">>> } = {
  "pack-renamed": { "the pack is now called 7; the run goes on as 8": { pack: "7", run: "8" } },
  "checkpoint-gone": {
    "B2 is no longer in the pack; what the run has of it stays as it is": { checkpoint: "b2" },
  },
  "run-unreadable": {
    "the record of 7 cannot be read; it may be an attempt of this group, so that none is begun anew beside it":
      {
        run: "7",
      },
  },
};

const nameOf = (folder: string): string => folder.toUpperCase();
type Table = Readonly<Record<string, Readonly<Record<string, object>>>>;
type Case = readonly [english: string, words: () => string];

const reasons = casesOf(REASONS).map(([text, one]): Case => [
  text,
  () => reasonsWords([one as PlanReason], nameOf),
]);
const notes = casesOf(NOTES).map(([text, one]): Case => [text, () => noteWords(one as PlanNote, nameOf)]);

/** Each wanted English text with what it is the text of. */
function casesOf(table: Table): [string, object][] {
  return Object.entries(table).flatMap(([kind, forms]) =>
    Object.entries(forms).map(([text, values]): [string, object] => [text, { kind, ...values }]),
  );
}

afterEach(() => {
  l10n.config({ contents: {} });
});

describe("every reason and note of a plan", () => {
  it.each([...reasons, ...notes])("is told in English: %s", (text, words) => {
    expect(words()).toBe(text);
  });

  it.each(
    languages().flatMap((language) => [...reasons, ...notes].map((one) => [language, ...one] as const)),
  )("is told in %s, with its values and no word of English: %s", (language, text, words) => {
    l10n.config({ contents: translationOf(language) });
    const told = words();
    expect(told.replaceAll("B2", "")).not.toMatch(/[a-z]/iu);
    // As everywhere in our Chinese, a space stands behind a value.
    expect(told).not.toMatch(/\d\p{Script=Han}/u);
    const values = (one: string): string[] => (one.match(/B2|\d+/gu) ?? []).sort();
    expect(values(told)).toEqual(values(text));
  });
});

describe("what becomes of a checkpoint", () => {
  const why: readonly PlanReason[] = [{ kind: "tests-changed" }, { kind: "depends-on", checkpoint: "one" }];

  it("is told with all its reasons, in the language of the host", () => {
    expect(actionWords({ action: "redo", why })).toBe(
      "redone (tests changed; depends on one, which is redone)",
    );
    expect(actionWords({ action: "keep", why: [] })).toBe("kept");
    l10n.config({ contents: translationOf("zh-cn") });
    expect(actionWords({ action: "redo", why }, () => "检查点 1")).toBe(
      "重做（测试已更改；依赖于检查点 1，而它会重做）",
    );
  });
});

describe("English that is written into records and logs", () => {
  it("is the plan's, and stays English in every language", () => {
    const agent = { origin: "agent" } as TrajectoryRequest["agent"];
    const request = { policy: FAIL_STOP, agent };
    const told = new Set<StopReason["kind"]>();
    for (const verdict of ["agent-error", "agent-timeout", "infrastructure", "failed"] as const) {
      const turn = aTurn(1, { verdict, counts: counts({ Core: { passed: 0, failed: 1, skipped: 0 } }) });
      const stop = stopAfter(request, turn);
      if (stop === undefined) throw new Error(`${verdict} does not stop`);
      told.add(stop.kind);
      l10n.config({ contents: {} });
      const words = reasonsWords([{ kind: "stopped", stop }]);
      l10n.config({ contents: translationOf("zh-cn") });
      expect(stopReason(request, { turn, trouble: undefined })).toBe(words);
    }
    expect(told.size).toBe(3);
  });

  it("tells lost tries as the plan does", () => {
    for (const indices of [[undefined], [undefined, 2, 3], [2, 3]]) {
      const tries = lostTries(indices.map((index) => ({ folder: "", index })));
      expect(lostWords(tries)).toBe(reasonsWords([{ kind: "tries-lost", ...tries }]));
    }
  });
});
