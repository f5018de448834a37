import path from "node:path";
import { pathBelow } from "../../core/model/paths.js";
import type { Known } from "./disk-changes.js";
import type { LibraryReaders } from "./reread.js";

/**
 * Of places that came, the folders that bring runs or packs which are not known. Of a folder that is copied or moved in, VS Code
 * need not tell what is in it. Inside a known run nothing arrives but what belongs to it.
 * @param arrived absolute paths, of files too
 */
export async function bringing(
  arrived: ReadonlySet<string>,
  { runs, packs }: Known,
  readers: Pick<LibraryReaders, "packs" | "runFolders">,
): Promise<string[]> {
  const isBelowAny = (place: string): boolean =>
    runs.some(({ folder }) => pathBelow(folder, place) !== undefined) || hasAbove(arrived, place);
  const asked = [...arrived].filter((place) => !isPassedOver(place) && !isBelowAny(place));
  const known = new Set([...runs, ...packs].map(({ folder }) => folder));
  const brings = await Promise.all(
    asked.map(async (place) => {
      const folders = await readers.runFolders(place);
      const inPacks = await readers.packs(place).catch(() => []);
      return [...folders, ...inPacks.map(({ folder }) => folder)].some((folder) => !known.has(folder));
    }),
  );
  return asked.filter((_place, index) => brings[index] === true);
}

function hasAbove(places: ReadonlySet<string>, place: string): boolean {
  const above = path.dirname(place);
  return above !== place && (places.has(above) || hasAbove(places, above));
}

/** Ends the names of files; those of runs may have a version in them, as in `agent-2.0.51_just-solve`. */
const EXTENSION = /\.[a-z]\w{0,5}$/iu;

/** Whether a place is a file or belongs to a tool, as `node_modules` and hidden folders do. */
function isPassedOver(place: string): boolean {
  const name = path.basename(place);
  return name.startsWith(".") || name === "node_modules" || EXTENSION.test(name);
}
