import type { TestOutcome } from "../model/outcome.js";
import type { PreparedImage } from "../sandbox/sandbox.js";
import type { Recorder } from "./recorder.js";

/** Fewer failures than this with the same cause are no pattern. */
const PATTERN_MINIMUM = 3;

/**
 * That a solution's requirements cannot be installed. As in SCB its tests are run all the same and decide; why they fail
 * is then told with the verdict.
 */
export function requirementsTrouble({ warnings }: Pick<PreparedImage, "warnings">): string | undefined {
  const trouble = warnings.find(isRequirementsTrouble);
  return trouble === undefined ? undefined : `${trouble}; the tests ran without them`;
}

/** The beginning is that of harness/provision.py. */
function isRequirementsTrouble(warning: string): boolean {
  return warning.startsWith("requirements.txt of the solution cannot be installed");
}

/** Everything about an evaluation that a reader of its numbers should know and its reason does not tell. */
export function warningsOf(recorder: Recorder, image: PreparedImage): string[] {
  const warnings = image.warnings.filter((warning) => !isRequirementsTrouble(warning));
  const setup = recorder.first("setup");
  if (setup !== undefined && setup.code !== 0) {
    warnings.push(`The environment's setup ended with exit code ${setup.code}${lastLine(setup.output)}`);
  }
  if (setup?.understood === false) {
    warnings.push("What the environment's setup exports could not be read; the tests ran without it");
  }
  if (setup !== undefined && setup.left.length > 0) {
    const names = setup.left.join(", ");
    warnings.push(
      `The environment's setup changed variables that did not reach the tests: ${names}. A command has to name one, ` +
        "for example `export NAME`; those of pytest and of its libraries are set in `environment.env`",
    );
  }
  for (const { node, message } of recorder.collectSkips) {
    warnings.push(`${node} was skipped as a whole: ${message}`);
  }
  warnings.push(...shortages(recorder), ...massFailures(recorder.outcomes, image.pythonVersion));
  return warnings;
}

function shortages(recorder: Recorder): string[] {
  const { oomKills = 0, processesRefused = 0 } = recorder.first("exit") ?? {};
  return [
    ...(oomKills > 0 ? ["Processes were killed for lack of memory while the tests ran"] : []),
    ...(processesRefused > 0 ? ["The limit on processes was met while the tests ran"] : []),
  ];
}

/**
 * Causes that fail many tests at once and are often none of the solution's logic: code for a newer Python, a module
 * that is not installed.
 */
export function massFailures(outcomes: readonly TestOutcome[], pythonVersion: string): string[] {
  const failed = outcomes.filter(({ status }) => status === "failed" || status === "error");
  const share = (pattern: RegExp): readonly (readonly string[])[] =>
    failed.flatMap(({ message }) => {
      const match = message === undefined ? null : pattern.exec(message);
      return match === null ? [] : [[...match]];
    });
  const isMass = (count: number): boolean => count >= PATTERN_MINIMUM && count * 2 >= failed.length;
  const hints: string[] = [];
  const syntax = share(/SyntaxError: [^\n\\]*/u);
  if (isMass(syntax.length)) {
    hints.push(
      `${syntax.length} of ${failed.length} failing tests show “${syntax[0]?.[0] ?? "SyntaxError"}”: ` +
        `the code may need another Python than ${pythonVersion}`,
    );
  }
  const modules = share(/ModuleNotFoundError: No module named \\?['"]([\w.]+)/u);
  if (isMass(modules.length)) {
    const names = [...new Set(modules.map((match) => match[1] ?? ""))].sort();
    hints.push(
      `${modules.length} of ${failed.length} failing tests miss a module (${names.join(", ")}): ` +
        "the solution's requirements.txt does not bring it",
    );
  }
  return hints;
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${line}`;
}
