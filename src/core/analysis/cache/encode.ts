import type { Decision } from "../../model/quality.js";
import type { FileMeasures, MeasuredCallable, MeasuredMatch } from "../measure.js";
import type { FileResult } from "../measurer.js";
import type { CloneCandidate } from "../measures/clones.js";
import type {
  AliasCandidate,
  CalledName,
  HandingOn,
  LocalFinding,
  StructuralReading,
  SymbolReading,
} from "../measures/structural.js";
import { ByteReader, ByteWriter } from "./bytes.js";
import { ascending, count, flag, list, oneOf, optional, phrase, real, record, text } from "./codec.js";

const decision = record<Decision>({ line: count, label: phrase });

const callable = record<MeasuredCallable>({
  name: text,
  qualifiedName: text,
  kind: oneOf("function", "method"),
  start: count,
  end: count,
  cc: count,
  cognitive: count,
  sloc: count,
  mass: real,
  decisions: list(decision),
});

const match = record<MeasuredMatch>({
  start: count,
  end: count,
  startColumn: count,
  endColumn: count,
  rule: phrase,
  message: phrase,
  note: optional(phrase),
});

const finding = record<LocalFinding>({ name: text, start: count, end: count });

const calledName = record<CalledName>({ imported: text, plain: optional(text) });

const symbol = record<SymbolReading>({
  qualifiedName: text,
  isCallable: flag,
  calls: optional(list(calledName)),
  handsOn: optional(record<HandingOn>({ name: text, start: count, end: count, to: optional(calledName) })),
});

const structure = record<StructuralReading>({
  wrappers: list(finding),
  aliases: list(record<AliasCandidate>({ name: text, start: count, end: count, target: text, local: flag })),
  symbols: list(symbol),
});

const measures = record<FileMeasures>({
  sloc: ascending,
  callables: list(callable),
  syntaxNodes: count,
  cloneCandidates: list(record<CloneCandidate>({ key: text, start: count, end: count })),
  structure,
  matches: list(match),
  suppressed: list(match),
  lostLines: optional(count),
});

const kind = oneOf("measures", "skipped");

/** A file's result as bytes, a few for each line of code, in which it travels between threads and is kept on disk. */
export function encodeResult(result: FileResult): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  if ("skipped" in result) {
    kind.write(writer, "skipped");
    writer.text(result.skipped);
  } else {
    kind.write(writer, "measures");
    measures.write(writer, result.measures);
  }
  return writer.toBytes();
}

/** @throws RangeError when the bytes are not what `encodeResult` gives */
export function decodeResult(bytes: Uint8Array): FileResult {
  const reader = new ByteReader(bytes);
  if (kind.read(reader) === "skipped") return { skipped: reader.text() };
  return { measures: measures.read(reader) };
}
