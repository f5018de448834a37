/** Loaded when the first file is measured: the door to the analysis worker. A bundle of its own. */
export { testFaults } from "../core/evaluation/check-tests.js";
export { createAnalyzer } from "../core/analysis/analyzer.js";
export { countingTablesOf } from "../core/analysis/languages/counting.js";
