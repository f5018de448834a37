import path from "node:path";
import type { Fault } from "../model/problem.js";
import { readingTrouble, readText } from "../model/read-text.js";

/** Options that SCB's runner passes to pytest; pytest refuses to start when no conftest knows them. */
const OPTIONS = ["--entrypoint", "--checkpoint"];

/** `addoption(` with anything but a text behind it, and what brings in code that is not seen here. */
const PUT_TOGETHER = /\baddoption\(\s*(?!["'])|\bpytest_plugins\b|\bimport_module\b/u;
const STAR_IMPORT = /^\s*from\s+\S+\s+import\s+\*/mu;

/**
 * What keeps the conftest of a pack from taking the options of SCB's runner. Nothing is executed: an option that the
 * text does not hold is an error, or a warning where code that is not seen may add it.
 * @param tests the folder of the hidden tests
 * @param names what lies in it
 */
export async function conftestFaults(
  tests: string,
  names: readonly string[],
): Promise<Pick<Fault, "file" | "message" | "severity">[]> {
  const file = path.join(tests, "conftest.py");
  const needs = `it has to add the options ${OPTIONS.join(" and ")}`;
  if (!names.includes("conftest.py")) {
    const config = path.join(path.dirname(tests), "config.yaml");
    return [{ file: config, message: `tests/conftest.py is missing; ${needs}`, severity: "error" }];
  }
  let text: string;
  try {
    text = withoutComments(await readText(file));
  } catch (error) {
    const message = `tests/conftest.py ${readingTrouble(error)}; ${needs}`;
    return [{ file, message, severity: "error" }];
  }
  const helpers = await helperTexts(tests, names, text);
  const isUnseen = PUT_TOGETHER.test(text) || (STAR_IMPORT.test(text) && helpers.length === 0);
  const missing = OPTIONS.filter((option) => ![text, ...helpers].some((one) => holds(one, option)));
  return missing.map((option) => ({
    file,
    message: `conftest.py does not add the option ${option}, without which pytest ends with a usage error`,
    severity: isUnseen ? "warning" : "error",
  }));
}

function holds(text: string, option: string): boolean {
  return text.includes(`"${option}"`) || text.includes(`'${option}'`);
}

function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*#.*$/gmu, "");
}

/** The texts of the modules beside a conftest that it imports. */
async function helperTexts(tests: string, names: readonly string[], conftest: string): Promise<string[]> {
  const imported = names.filter((name) => {
    const module = /^(?<stem>\w+)\.py$/u.exec(name)?.groups?.["stem"];
    return (
      module !== undefined && new RegExp(`\\b(?:import|from)\\s[^\\n]*\\b${module}\\b`, "u").test(conftest)
    );
  });
  const texts = imported.map((name) => readText(path.join(tests, name)).catch(() => ""));
  return (await Promise.all(texts)).map(withoutComments);
}
