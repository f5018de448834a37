import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Analyzer } from "../analysis/analysis.js";
import type { PythonOutline } from "../analysis/python-outline.js";
import { MARKERS, type Fault, type PackReading } from "../model/problem.js";
import { nearestWord } from "../problem/suggest.js";

/** Markers of pytest's own and of the plugins that SCB's runner brings, which no pack has to declare. */
const PYTEST_MARKERS = [
  ...["parametrize", "skip", "skipif", "xfail", "usefixtures", "filterwarnings", "tryfirst", "trylast"],
  ...["timeout", "asyncio"],
];

/** What is wrong in hidden tests, by the folder of their pack. */
export type TestFaults = ReadonlyMap<string, readonly Fault[]>;

/**
 * Looks into the Python of packs' hidden tests: syntax errors and misspelt markers, files without a test. Nothing is executed and no Python is
 * needed, so what only Python itself refuses is not found.
 * @throws SlopLensError cancelled, internal when the grammar is missing
 */
export async function testFaults(
  packs: readonly Pick<PackReading, "folder" | "markers">[],
  analyzer: Pick<Analyzer, "outlinePython">,
  signal: AbortSignal,
): Promise<TestFaults> {
  const files = await Promise.all(packs.map(({ folder }) => pythonFiles(path.join(folder, "tests"))));
  const outlines = (await analyzer.outlinePython(files.flat(), signal)).values();
  const faults = packs.map(({ folder, markers }, index): [string, Fault[]] => {
    const known = [...MARKERS, ...markers.map(({ name }) => name), ...PYTEST_MARKERS];
    return [folder, (files[index] ?? []).flatMap((file) => faultsOf(file, outlines.next().value, known))];
  });
  return new Map(faults.filter(([, found]) => found.length > 0));
}

/** A reading with what is wrong in its tests. Its problem stays one: the tests of other checkpoints can be run. */
export function withTestFaults(pack: PackReading, faults: TestFaults): PackReading {
  const found = faults.get(pack.folder);
  return found === undefined ? pack : { ...pack, faults: [...pack.faults, ...found] };
}

/** Those at the top: what lies deeper is data, and may be broken on purpose. */
async function pythonFiles(tests: string): Promise<string[]> {
  const names = await readdir(tests).catch(() => []);
  return names
    .filter((name) => name.endsWith(".py"))
    .sort()
    .map((name) => path.join(tests, name));
}

function faultsOf(file: string, outline: PythonOutline | undefined, known: readonly string[]): Fault[] {
  if (outline === undefined) {
    const message = "This file of the hidden tests cannot be read, or is no plain file";
    return [{ file, line: undefined, column: undefined, message, severity: "error" }];
  }
  const { fault, markers } = outline;
  const syntax = fault === undefined ? [] : [syntaxFault(file, fault)];
  const misspelt = markers.flatMap(({ name, line, column }): Fault[] => {
    const meant = known.includes(name) ? undefined : nearestWord(name, known);
    if (meant === undefined) return [];
    const message = `There is no marker "${name}"; did you mean "${meant}"? Tests without a known marker are Core`;
    return [{ file, line, column, message, severity: "warning" }];
  });
  return [...syntax, ...misspelt, ...(syntax.length === 0 ? emptyFault(file, outline) : [])];
}

function emptyFault(file: string, { mayHoldTests }: PythonOutline): Fault[] {
  if (mayHoldTests || !/^test_.*\.py$/u.test(path.basename(file))) return [];
  const message = "This file holds no test, so nothing of its own is asked at its checkpoint";
  return [{ file, line: undefined, column: undefined, message, severity: "warning" }];
}

function syntaxFault(file: string, { line, column, message }: NonNullable<PythonOutline["fault"]>): Fault {
  return { file, line, column, message: `Python cannot read this: ${message}`, severity: "error" };
}
