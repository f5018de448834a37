import { expect, it } from "vitest";
import { bringing } from "../../../src/editor/library/arrivals.js";

/** Folders that hold a run or a pack; the places that were looked into are told. */
function disk(holding: readonly string[]) {
  const looked: string[] = [];
  const below = (folder: string): string[] => {
    looked.push(folder);
    return holding.filter((place) => place === folder || place.startsWith(`${folder}/`));
  };
  return {
    looked,
    runFolders: (folder: string) => Promise.resolve(below(folder)),
    packs: () => Promise.reject(new Error("no folder")),
  };
}

it("takes what brings a run, once, and looks into nothing of tools or of known runs", async () => {
  const readers = disk([
    "/w/agent-2.0.51_plain-1",
    "/w/copied/run",
    "/w/node_modules/run",
    "/w/.git/run",
    "/w/known/a",
  ]);
  const arrived = [
    "/w/copied",
    "/w/copied/run",
    "/w/agent-2.0.51_plain-1",
    "/w/empty",
    "/w/a.txt",
    "/w/node_modules",
    "/w/.git",
    "/w/known/a",
    "/w/runs",
  ];
  const found = await bringing(
    new Set(arrived),
    { runs: [{ folder: "/w/known" }, { folder: "/w/runs/live" }], packs: [] },
    readers,
  );
  expect(found).toEqual(["/w/copied", "/w/agent-2.0.51_plain-1"]);
  expect(readers.looked).toEqual(["/w/copied", "/w/agent-2.0.51_plain-1", "/w/empty", "/w/runs"]);
});
