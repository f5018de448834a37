import type { AnalysisOptions, Analyzer } from "../core/analysis/analysis.js";
import { evaluate } from "../core/evaluation/evaluate.js";
import type { ProductFiles } from "../core/model/files.js";
import type { Sandbox } from "../core/sandbox/sandbox.js";
import { openRunFolder } from "../core/store/run-folder.js";
import type { TrajectoryServices } from "../core/trajectory/services.js";

/** The product as it lies on this machine, and how its parts are put together. */
export class Installation {
  constructor(readonly files: ProductFiles) {}

  readonly analysis: AnalysisOptions = { profile: "scb-0.1.3", rules: undefined };

  createAnalyzer(): Analyzer {
    return createAnalyzer(this.files);
  }

  services(sandbox: Sandbox, analyzer: Analyzer): TrajectoryServices {
    return {
      sandbox,
      analyzer,
      evaluate: (request, listener, signal) => evaluate(request, listener, this.files, signal),
      openRun: openRunFolder,
    };
  }
}
