/** The commands that read packs and run code. A bundle of its own, so that measuring does not load Docker's client. */
export { agentsCommand } from "./commands/agents.js";
export { evalCommand } from "./commands/eval.js";
export { problemsCommand } from "./commands/problems.js";
export { queueCommand } from "./commands/queue.js";
export { resumeCommand } from "./commands/resume.js";
export { runCommand } from "./commands/run.js";
export { scoresCommand } from "./commands/scores.js";
export { transcriptCommand } from "./commands/transcript.js";
