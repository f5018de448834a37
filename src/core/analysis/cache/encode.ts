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

/** First byte of a result. */
const SKIPPED = 0;
const MEASURED = 1;

/** A file's result as bytes, a few for each line of code, in which it travels between threads and is kept on disk. */
export function encodeResult(result: FileResult): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  if ("skipped" in result) writer.text(result.skipped);
  else measures.write(writer, result.measures);
  return writer.toBytes("skipped" in result ? SKIPPED : MEASURED);
}

/** @throws RangeError when the bytes are not what `encodeResult` gives */
export function decodeResult(bytes: Uint8Array): FileResult {
  const reader = new ByteReader(bytes.subarray(1));
  return bytes[0] === SKIPPED ? { skipped: reader.text() } : { measures: measures.read(reader) };
}

/**
 * A result that stays bytes, and makes its measures each time that they are asked for: as objects those of a large tree
 * take several times the room.
 * @param bytes whole, as `encodeResult` gives them; with others a RangeError is thrown when the measures are asked for
 */
export function storedResult(bytes: Uint8Array): FileResult {
  if (bytes[0] === SKIPPED) return decodeResult(bytes);
  return {
    get measures() {
      return measures.read(new ByteReader(bytes.subarray(1)));
    },
  };
}
