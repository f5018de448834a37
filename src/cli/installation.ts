import { version } from "../../package.json";
import { SHIPPED_RULES, type AnalysisOptions, type Analyzer } from "../core/analysis/analysis.js";
import { createAnalyzer } from "../core/analysis/analyzer.js";
import { evaluate } from "../core/evaluation/evaluate.js";
import type { Environment } from "../core/model/environment.js";
import type { ProductFiles } from "../core/model/files.js";
import { DockerSandbox } from "../core/sandbox/docker/docker-sandbox.js";
import { LocalSandbox } from "../core/sandbox/local/local-sandbox.js";
import type { Sandbox } from "../core/sandbox/sandbox.js";
import type { TrajectoryServices } from "../core/trajectory/services.js";

/** The product as it lies on this machine, and how its parts are put together. */
export class Installation {
  readonly version = version;
  readonly analysis: AnalysisOptions = { profile: "scb-0.1.3", rules: SHIPPED_RULES };

  /**
   * @param cacheFolder where virtual environments of this machine are kept; default the user's cache
   */
  constructor(
    readonly files: ProductFiles,
    private readonly cacheFolder?: string,
  ) {}

  /** Measures on worker threads; ends them when disposed. */
  createAnalyzer(): Analyzer {
    return createAnalyzer(this.files, { mode: "pool" });
  }

  /**
   * The sandbox that an environment asks for; for Docker only when its engine answers.
   * @throws SlopLensError engine-missing, engine-denied, engine-lost, cancelled
   */
  async openSandbox(environment: Environment, signal: AbortSignal): Promise<Sandbox> {
    const { harness } = this.files;
    // What an earlier run that was killed may have left is removed; never what belongs to living runs.
    if (environment.type === "local") {
      const local = new LocalSandbox({ harness, cacheFolder: this.cacheFolder });
      await local.removeOrphans();
      return local;
    }
    const sandbox = new DockerSandbox({ harness });
    await sandbox.describeEngine(signal);
    await sandbox.removeOrphans(signal);
    return sandbox;
  }

  services(sandbox: Sandbox, analyzer: Analyzer): TrajectoryServices {
    return {
      sandbox,
      analyzer,
      evaluate: (request, listener, signal) => evaluate(request, listener, this.files, signal),
    };
  }
}
