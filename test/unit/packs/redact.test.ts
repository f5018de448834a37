import { expect, it } from "vitest";
import { stringify } from "yaml";
import { Redactor } from "../../../src/core/store/redact.js";

it.each(["plain-secret-1", 'quo"te-and\\slash', "it's-a-secret", "tab\tand-é-€"])(
  "finds the secret %j in text, in JSON and in YAML",
  (secret) => {
    const redactor = new Redactor([secret]);
    const document = { reason: `ended (${secret})`, secret };
    expect(redactor.text(`said ${secret}.`)).toBe("said ***.");
    expect(JSON.parse(redactor.text(JSON.stringify(document)))).toEqual({
      reason: "ended (***)",
      secret: "***",
    });
    for (const defaultStringType of ["PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE"] as const) {
      expect(redactor.text(stringify({ secret }, { defaultStringType }))).toMatch(/\*\*\*/u);
    }
  },
);

it("finds a secret of several lines in JSON", () => {
  const secret = "-----BEGIN-----\nabc\n";
  expect(new Redactor([secret]).text(JSON.stringify({ secret }))).toBe('{"secret":"***"}');
});
