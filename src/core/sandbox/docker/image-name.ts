import { SlopLensError } from "../../model/errors.js";

const PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const HOST = "(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:]+\\])(?::\\d+)?";
const TAG = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const DIGEST = "[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}";
/** The grammar of github.com/distribution/reference, and an image's id. */
const REFERENCE = new RegExp(
  `^(?:(?:${HOST}/)?${PART}(?:/${PART})*(?::${TAG})?(?:@${DIGEST})?|sha256:[0-9a-f]{12,64})$`,
  "u",
);

/**
 * Lets only names pass that can be an image's: the engine's client makes addresses of them, and anything else would
 * ask the engine for something else, or somebody else.
 * @throws SlopLensError environment-invalid
 */
export function checkImageName(name: string): string {
  if (REFERENCE.test(name)) return name;
  throw new SlopLensError(
    "environment-invalid",
    `\`${name}\` is not the name of a Docker image`,
    "Write it in small letters, like python:3.12-slim or registry.example.com/team/python:3.12.",
  );
}
