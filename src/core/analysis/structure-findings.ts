import type { StructuralFinding } from "../model/quality.js";
import type { MeasuredCallable } from "./measure.js";
import { comparePathParts, compareSpans } from "./measures/order.js";
import type { CalledName, StructuralReading, SymbolReading } from "./measures/structural.js";
import type { ProfileDefinition } from "./profiles.js";

/** What is told of a file's structure. */
export interface StructuredFile<Of extends MeasuredCallable = MeasuredCallable> {
  readonly path: string;
  /** Dotted module name. */
  readonly module: string;
  readonly callables: readonly Of[];
  readonly structure: StructuralReading;
}

type Files = readonly StructuredFile[];

/** What a profile flags by structure, in the order of spans. */
export function structuralFindings(
  files: Files,
  term: ProfileDefinition["structuralTerm"],
): StructuralFinding[] {
  switch (term) {
    case "none":
      return [];
    case "single-returns":
      return [...singleReturns(files), ...aliases(files)].sort(compareSpans);
    case "pass-throughs":
      return passThroughs(files).sort(compareSpans);
  }
}

/**
 * The callables that a profile counts, in the order of files. Where it counts the last of one name, a class of the same name
 * replaces a callable too.
 */
export function countedCallables<Of extends MeasuredCallable>(
  files: readonly StructuredFile<Of>[],
  sameNames: ProfileDefinition["sameNames"],
): readonly Of[] {
  const replaced = sameNames === "last" ? replacedSymbols(files) : undefined;
  return files.flatMap(({ callables, structure }) => {
    if (replaced === undefined || structure.symbols.length === 0) return callables;
    const counts = structure.symbols.filter(({ isCallable }) => isCallable).map((one) => !replaced.has(one));
    return callables.filter((_, at) => counts[at] !== false);
  });
}

function singleReturns(files: Files): StructuralFinding[] {
  return files.flatMap(({ path, structure }) =>
    structure.wrappers.map(({ name, start, end }) => ({
      ...{ path, start, end, name },
      kind: "trivial-wrapper" as const,
    })),
  );
}

function aliases(files: Files): StructuralFinding[] {
  const candidates = files.flatMap(({ path, module, structure }) =>
    structure.aliases.map(({ name, start, end, target, local }) => ({
      target: local ? `${module}.${target}` : target,
      finding: { path, start, end, kind: "alias" as const, name },
    })),
  );
  const callables = callablesNamed(files, new Set(candidates.map(({ target }) => lastPart(target))));
  return candidates.filter(({ target }) => callables.has(target)).map(({ finding }) => finding);
}

/** Dotted names of the callables that have one of the names; few are asked for, so few are put together. */
function callablesNamed(files: Files, names: ReadonlySet<string>): ReadonlySet<string> {
  const dotted = new Set<string>();
  for (const { module, callables } of files) {
    for (const { name } of callables) if (names.has(name)) dotted.add(`${module}.${name}`);
  }
  return dotted;
}

function lastPart(dotted: string): string {
  return dotted.slice(dotted.lastIndexOf(".") + 1);
}

/**
 * Callables that return a parameter, or a call of another analysed definition with exactly their parameters, and that
 * call nothing else. As in scb-check, what a callable calls is that of the last one of its name.
 */
function passThroughs(files: Files): StructuralFinding[] {
  const names = new Set<string>();
  const calls = new Map<string, { readonly module: string; readonly calls: SymbolReading["calls"] }>();
  for (const { module, structure } of inOrderOfReading(files)) {
    for (const symbol of structure.symbols) {
      const name = `${module}.${symbol.qualifiedName}`;
      names.add(name);
      if (symbol.isCallable) calls.set(name, { module, calls: symbol.calls });
    }
  }
  const resolve = ({ imported, plain }: CalledName, module: string): string | undefined => {
    if (names.has(imported)) return imported;
    const local = plain === undefined ? undefined : `${module}.${plain}`;
    return local !== undefined && names.has(local) ? local : undefined;
  };
  return files.flatMap(({ path, module, structure }) =>
    structure.symbols.flatMap(({ qualifiedName, handsOn }): StructuralFinding[] => {
      if (handsOn === undefined) return [];
      const name = `${module}.${qualifiedName}`;
      const last = calls.get(name);
      if (last?.calls?.every((call) => resolve(call, last.module) !== undefined) !== true) return [];
      const target = handsOn.to === undefined ? undefined : resolve(handsOn.to, module);
      if (handsOn.to !== undefined && (target === undefined || target === name)) return [];
      const { start, end } = handsOn;
      return [{ path, start, end, kind: "trivial-wrapper", name: handsOn.name }];
    }),
  );
}

/** Symbols whose qualified name is defined again later, in the same file or in another module of the same name. */
function replacedSymbols(files: Files): ReadonlySet<SymbolReading> {
  const last = new Map<string, SymbolReading>();
  const replaced = new Set<SymbolReading>();
  for (const { module, structure } of inOrderOfReading(files)) {
    for (const symbol of structure.symbols) {
      const name = `${module}.${symbol.qualifiedName}`;
      const earlier = last.get(name);
      if (earlier !== undefined) replaced.add(earlier);
      last.set(name, symbol);
    }
  }
  return replaced;
}

/** scb-check reads files folder by folder: by the parts of their paths. */
function inOrderOfReading(files: Files): StructuredFile[] {
  return [...files].sort((a, b) => comparePathParts(a.path, b.path));
}
