import type { ProductFiles } from "../../model/files.js";
import type { QualityReport, RuleSetInfo } from "../../model/quality.js";
import type { AnalysisOptions } from "../analysis.js";
import type { FileJob, FileResult } from "../measurer.js";

/** What a worker is started with. */
export interface WorkerStart {
  /** `analyzer`: a whole engine with a pool of its own. `measurer`: measures files. */
  readonly role: "analyzer" | "measurer";
  readonly files: ProductFiles;
  readonly workerFile: string;
}

export interface MeasurerCalls {
  /** Answers when the thread is free. */
  ping: { args: null; value: null };
  measure: { args: { job: FileJob; options: AnalysisOptions }; value: FileResult };
}

export interface AnalyzerCalls {
  ruleSet: { args: null; value: RuleSetInfo };
  analyzePaths: { args: { paths: readonly string[]; options: AnalysisOptions }; value: QualityReport };
  analyzeText: {
    args: { path: string; languageId: string; text: string; options: AnalysisOptions };
    value: QualityReport | undefined;
  };
}
