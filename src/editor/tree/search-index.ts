/** Search over problems, runs, checkpoints and hidden tests, as far as the library knows them; no file is read. */
import { l10n } from "vscode";
import type { PackReading } from "../../core/model/problem.js";
import type { TestOutcome } from "../../core/model/outcome.js";
import { runLabel } from "../../core/report/run-label.js";
import { runsOf, shownRun, type LibraryState, type RunPart } from "../library/state.js";
import { checkpointLabel, startWords, statusWords, testLabel, turnWords, verdictWords } from "../words.js";
import { packRowId } from "./problem-rows.js";
import { problemRowId, runRowId } from "./run-rows.js";
import { testRowId } from "./test-rows.js";

export interface SearchEntry {
  readonly kind: "problem" | "run" | "checkpoint" | "test";
  readonly label: string;
  readonly description: string;
  readonly view: "problems" | "runs";
  /** Ids of the rows down to the one that is meant; made when it is asked for, because most are never. */
  readonly path: () => readonly string[];
}

interface Place {
  readonly view: SearchEntry["view"];
  readonly path: readonly string[];
}

/** All that can be found, problems first, then runs, checkpoints and tests. */
export function searchEntries(state: LibraryState): SearchEntry[] {
  const names = new Set([
    ...state.packs.map(({ name }) => name),
    ...state.runs.flatMap((run) => run.problems.map(({ problem }) => problem)),
  ]);
  const byKind = [...names].map((name) => entriesOf(state, name));
  return (["problem", "run", "checkpoint", "test"] as const).flatMap((kind) =>
    byKind.flatMap((entries) => entries.filter((entry) => entry.kind === kind)),
  );
}

/** Checkpoints and tests of a problem are those of the run that its row shows. */
function entriesOf(state: LibraryState, name: string): SearchEntry[] {
  const pack = state.packs.find((candidate) => candidate.name === name);
  const parts = runsOf(state, name);
  const shown = shownRun(state, pack?.problem ?? { name, folder: "" });
  const place = placeOf(name, pack, shown);
  const problem = place && {
    kind: "problem" as const,
    label: name,
    description: l10n.t("problem"),
    ...entryPlace(place.top),
  };
  return [
    ...(problem === undefined ? [] : [problem]),
    ...parts.map((entry) => runEntry(name, entry)),
    ...checkpointEntries(name, pack, shown, place?.below),
    ...(shown === undefined || place === undefined ? [] : testEntries(name, shown, place.below)),
  ];
}

/** Where a problem is, and below what its checkpoints are. */
function placeOf(
  name: string,
  pack: PackReading | undefined,
  shown: RunPart | undefined,
): { readonly top: Place; readonly below: Place } | undefined {
  if (pack !== undefined) {
    const place = { view: "problems", path: [packRowId(pack)] } as const;
    return { top: place, below: place };
  }
  if (shown === undefined) return undefined;
  const top = { view: "runs", path: [problemRowId(name)] } as const;
  return { top, below: { view: "runs", path: [...top.path, runRowId(shown.run, shown.part)] } };
}

function runEntry(problem: string, { run, part }: RunPart): SearchEntry {
  return {
    kind: "run",
    label: runLabel(run),
    description: [problem, startWords(run.startedAt)].filter((text) => text !== "").join(" · "),
    view: "runs",
    path: () => [problemRowId(problem), runRowId(run, part)],
  };
}

function checkpointEntries(
  problem: string,
  pack: PackReading | undefined,
  shown: RunPart | undefined,
  place: Place | undefined,
): SearchEntry[] {
  if (place === undefined) return [];
  const names =
    pack?.problem?.checkpoints.map(({ name }) => name) ??
    shown?.part.turns.map(({ checkpoint }) => checkpoint) ??
    [];
  return names.map((name) => {
    const verdict = shown?.part.turns.find(({ checkpoint }) => checkpoint === name)?.verdict;
    return {
      kind: "checkpoint",
      label: checkpointLabel(name),
      description: `${problem}${verdict === undefined ? "" : ` · ${verdictWords(verdict)}`}`,
      view: place.view,
      path: () => [...place.path, below(place, name)],
    };
  });
}

/** Each test once, at the last checkpoint that ran it. */
function testEntries(problem: string, { part }: RunPart, place: Place): SearchEntry[] {
  const last = new Map<string, { readonly outcome: TestOutcome; readonly checkpoint: string }>();
  for (const turn of part.turns) {
    for (const outcome of turn.outcomes) {
      last.set(`${outcome.checkpoint}\n${outcome.id}`, { outcome, checkpoint: turn.checkpoint });
    }
  }
  return [...last.values()].map(({ outcome, checkpoint }) => ({
    kind: "test",
    label: testLabel(outcome.id),
    description: `${statusWords(outcome.status)} · ${turnWords({ problem, checkpoint })}`,
    view: place.view,
    path: () => {
      const row = below(place, checkpoint);
      const group = `${row}/${outcome.group}`;
      return [...place.path, row, group, testRowId(group, outcome)];
    },
  }));
}

function entryPlace({ view, path }: Place): Pick<SearchEntry, "view" | "path"> {
  return { view, path: () => path };
}

function below({ path }: Place, name: string): string {
  return `${path.at(-1) ?? ""}/${name}`;
}

/**
 * Entries that hold all words of a query in label or description; labels that begin with it come first.
 * @param limit how many are given back at most
 */
export function findEntries(
  entries: readonly SearchEntry[],
  query: string,
  limit: number,
): readonly SearchEntry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const [first = ""] = words;
  const found = entries.filter((entry) => {
    const text = `${entry.label} ${entry.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = (entry: SearchEntry): boolean => entry.label.toLowerCase().startsWith(first);
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))].slice(0, limit);
}
