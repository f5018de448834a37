import type * as vscode from "vscode";
import { EARLIER_SCHEME } from "./ids.js";

/**
 * The earlier side of a comparison. Two files with paths of their own would be shown as a file that was renamed, the
 * later path first and the earlier one crossed out, so that this side takes the path of the later one.
 * @param earlier absolute path of the file itself
 */
export function earlierSide(now: vscode.Uri, earlier: string): vscode.Uri {
  return now.with({ scheme: EARLIER_SCHEME, query: earlier });
}
