import path from "node:path";
import { describe, expect, it } from "vitest";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { listTemplates, readTemplate, renderPrompt } from "../../../src/core/prompt/prompt.js";
import { ROOT } from "./support.js";

const TEMPLATES = path.join(ROOT, "templates");
const INPUTS = {
  spec: "\n # Spec \n\n",
  isContinuation: false,
  agentType: "replay",
  agentVersion: undefined,
  modelName: "m",
};

function render(source: string, inputs: Partial<typeof INPUTS> = {}): string {
  return renderPrompt({ name: "mine", source }, { ...INPUTS, ...inputs });
}

describe("renderPrompt", () => {
  // The right-hand sides are what Jinja2 3.1 makes of the same templates.
  it.each([
    ["{{ spec.strip() }}\n", "# Spec"],
    ["a\n\n", "a\n"],
    ["a\r\nb\r\n", "a\nb"],
    ["{%- if is_continuation -%}\nmore\n{%- else -%}\n first \n{%- endif %}\n!", "first\n!"],
    ["{% if not is_continuation -%}\nnew\n{% else -%}\nold\n{% endif -%}\n\nend", "new\nend"],
    ["{{ is_continuation }} {{ none }} {{ not is_continuation }}", "False None True"],
    ["[{{ unknown }}{{ agent_version }}]", "[]"],
    ["{{ '<a> & \"b\"' }}", '<a> & "b"'],
    [
      "{{ agent_type.upper() }} {{ spec.split() | length }} {{ agent_type.startswith('re') }}",
      "REPLAY 2 True",
    ],
    ["{# note #}{% raw %}{{ x }}{% endraw %}", "{{ x }}"],
    ["{% for word in 'a b'.split() %}{{ loop.index }}{{ word }};{% endfor %}", "1a;2b;"],
    ["{{ 'xxaxx'.strip('x') }}{{ 'a-b-c'.replace('-', '+', 1) }}{{ ', '.join(['p', 'q']) }}", "aa+b-cp, q"],
    ["{{ spec.constructor }}|{{ spec.__proto__ }}|{{ [1].constructor }}", "||"],
    ["", ""],
  ])("renders %j", (source, expected) => {
    expect(render(source)).toBe(expected);
  });

  it("does not render the spec itself", () => {
    expect(render("{{ spec }}", { spec: "{{ 1 + 1 }} $& {% if %}" })).toBe("{{ 1 + 1 }} $& {% if %}");
  });

  it.each([
    ["a\n{% if x %}\nb", "line 3"],
    ["a\n\n{{ foo( }}", "line 3"],
    ["a\n{{ nope() }}", "line 2"],
    ["a\n{{ unknown.part }}", "line 2"],
    ["\n{{ spec | sparkle }}", "line 2"],
    ["a\n{% include 'other' %}", "line 2"],
    ["a\n{{ spec.strip.constructor('return process')() }}", "line 2"],
  ])("says of %j the %s", (source, line) => {
    let thrown: unknown;
    try {
      render(source);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SlopLensError);
    expect(thrown).toMatchObject({ code: "bad-input" });
    expect(String(thrown)).toContain(`mine, ${line}: `);
  });
});

describe("shipped templates", () => {
  it("are three, end with the spec, and tell a continuation apart", async () => {
    const names = await listTemplates(TEMPLATES);
    expect(names).toEqual(["anti-slop", "just-solve", "plan-first"]);
    for (const name of names) {
      const template = await readTemplate(name, TEMPLATES);
      const first = renderPrompt(template, INPUTS);
      const later = renderPrompt(template, { ...INPUTS, isContinuation: true });
      expect(template.name).toBe(name);
      expect(first.endsWith("Specification:\n\n# Spec")).toBe(true);
      expect(later.endsWith("Specification:\n\n# Spec")).toBe(true);
      expect(first).not.toBe(later);
      expect(`${first}${later}`).not.toMatch(/\n{3}|[{}]|^\s|[ \t]\n/u);
    }
  });

  it("can be named by path, and a missing one is told with those that are there", async () => {
    const template = await readTemplate(path.join(TEMPLATES, "just-solve.jinja"), "elsewhere");
    expect(template.name).toBe("just-solve");
    await expect(readTemplate("just_solve", TEMPLATES)).rejects.toMatchObject({
      code: "bad-input",
      hint: "Name one of anti-slop, just-solve, plan-first, or the path of a .jinja file.",
    });
  });
});
