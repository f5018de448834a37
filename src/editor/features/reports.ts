import { COMMANDS } from "../ids.js";
import type { Feature } from "../services.js";
import { registerCommands } from "./commands.js";
import { compareRuns } from "./compare-runs.js";
import { checkpointOf, targetOf } from "./targets.js";
import { validateSnapshot } from "./validate.js";

/** Commands whose answer is a report: Compare With…, Validate. */
export const reports: Feature = (services) => {
  const { documents, errors } = services;
  return registerCommands(errors, {
    [COMMANDS.compareRuns]: (value) => compareRuns(services, targetOf(value)),
    [COMMANDS.validate]: (value) => validateSnapshot(services, documents, checkpointOf(value)),
  });
};
