import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { specSection } from "../../../src/editor/tree/spec-section.js";
import { testLine } from "../../../src/editor/tree/test-line.js";

const SPEC = `# Keeper

Keeps things.

## Commands

\`move NAME\` moves an item. Fails when it is missing.

\`\`\`sh
# Moving in a comment
\`\`\`

## Exit codes (all)

The keeper exits with 2 on an unknown command.

## Storage & files

An item that is dropped stays in the store.
`;

describe("specSection", () => {
  it("finds the section that speaks of the test, whatever the form of the word", () => {
    expect(specSection(SPEC, "test_unknown_command_exits")?.heading).toBe("Exit codes (all)");
    expect(specSection(SPEC, "test_drops_stay_stored[a b]")?.heading).toBe("Storage & files");
    expect(specSection(SPEC, "TestMove::test_moved_item")?.heading).toBe("Commands");
  });

  it("tells its line and the anchor that a preview has for it", () => {
    expect(specSection(SPEC, "test_exit_code")).toEqual({
      heading: "Exit codes (all)",
      line: 13,
      anchor: "exit-codes-all",
    });
    expect(specSection("# A\nbox\n# A\nlamp", "test_lamp")?.anchor).toBe("a-1");
  });

  it("finds nothing rather than something", () => {
    expect(specSection(SPEC, "test_quaternions")).toBeUndefined();
    expect(specSection("", "test_move")).toBeUndefined();
  });

  it("leads from the sample's tests to the sections they come from", () => {
    const spec = readFileSync("examples/shelf/checkpoint_2.md", "utf8");
    expect(specSection(spec, "test_drop_of_a_missing_item")?.heading).toBe("Commands");
    expect(specSection(spec, "test_mv_is_move")?.heading).toBe("Commands");
  });
});

describe("testLine", () => {
  const text =
    "import x\n\nclass A:\n    def test_a(self):\n        pass\n\ndef test_ab():\n    pass\n\nasync def test_a():\n";

  it("finds the definition, and of several the one that pytest means", () => {
    expect(testLine(text, "test_ab[1]", undefined)).toBe(7);
    expect(testLine(text, "A::test_a", 4)).toBe(4);
    expect(testLine(text, "test_a", 11)).toBe(10);
  });

  it("goes where pytest found it when there is no such definition", () => {
    expect(testLine(text, "test_gone", 5)).toBe(5);
    expect(testLine(text, "test_gone", 500)).toBe(11);
    expect(testLine(text, "test_gone", undefined)).toBe(1);
  });
});
