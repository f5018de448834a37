import { version } from "../../package.json";
import { SHIPPED_RULES, type AnalysisOptions, type Analyzer } from "../core/analysis/analysis.js";
import { createAnalyzer } from "../core/analysis/analyzer.js";
import { defaultCacheFolder } from "../core/model/cache-folder.js";
import type { ProductFiles } from "../core/model/files.js";
import { DEFAULT_PROFILE } from "../core/model/quality.js";

/** The product as it lies on this machine. */
export class Installation {
  readonly version = version;
  readonly analysis: AnalysisOptions = { profile: DEFAULT_PROFILE, rules: SHIPPED_RULES };

  /** @param cacheFolder where environments and measures are kept; default the user's cache */
  constructor(
    readonly files: ProductFiles,
    readonly cacheFolder = defaultCacheFolder(),
  ) {}

  /**
   * Measures on worker threads; ends them when disposed.
   * @param cache folder in which measures are kept, absolute; `false` for nowhere; default the installation's
   */
  createAnalyzer(cache: string | false = this.cacheFolder): Analyzer {
    return createAnalyzer(this.files, { mode: "pool", cacheFolder: cache === false ? undefined : cache });
  }
}
