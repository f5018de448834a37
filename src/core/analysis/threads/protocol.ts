import type { ProductFiles } from "../../model/files.js";
import type { LanguageId, QualityReport, RuleSetInfo } from "../../model/quality.js";
import type { AnalysisOptions, QualitySummary } from "../analysis.js";
import type { ChosenRules } from "../cache/chosen-rules.js";
import type { DocumentAnswer, DocumentRequest, Remedy, RemedyRequest } from "../document/reading.js";
import type { PythonOutline } from "../python-outline.js";
import type { FileJob, RulePlace } from "../measurer.js";

/** What a worker is started with. */
export interface WorkerStart {
  /** `analyzer`: a whole engine with a pool of its own. `measurer`: measures files. */
  readonly role: "analyzer" | "measurer";
  readonly files: ProductFiles;
  readonly workerFile: string;
  /** The product's cache folder; nothing is kept when undefined. */
  readonly cacheFolder?: string | undefined;
  /** Of a measurer: in which it tells its progress. */
  readonly progress?: SharedArrayBuffer;
}

export interface MeasurerCalls {
  /** Answers when the thread is free. */
  ping: { args: null; value: null };
  ruleSet: { args: { rules: ChosenRules; languages: readonly LanguageId[] }; value: RuleSetInfo };
  /** The value is a result as `encodeResult` writes it: bytes travel cheaper than thousands of objects. */
  measure: { args: { job: FileJob; rules: ChosenRules; number: number }; value: Uint8Array };
  /** The rule that a thread's progress tells by a number. */
  ruleAt: {
    args: { rules: ChosenRules; language: LanguageId; number: number };
    value: RulePlace | undefined;
  };
}

export interface AnalyzerCalls {
  ruleSet: { args: null; value: RuleSetInfo };
  analyzePaths: { args: { paths: readonly string[]; options: AnalysisOptions }; value: QualityReport };
  summarizePaths: {
    args: { paths: readonly string[]; options: AnalysisOptions & { readonly most: number } };
    value: QualitySummary;
  };
  learnPaths: { args: { paths: readonly string[]; options: AnalysisOptions }; value: null };
  outlinePython: { args: { files: readonly string[] }; value: readonly (PythonOutline | undefined)[] };
  document: { args: DocumentRequest; value: DocumentAnswer };
  remedy: { args: RemedyRequest; value: Remedy | undefined };
}
