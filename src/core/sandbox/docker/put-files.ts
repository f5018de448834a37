import type Docker from "dockerode";

import { packPlan } from "../archive/pack.js";
import type { PlacementPlan } from "../archive/plan.js";
import { cancelled, within } from "../deadline.js";
import { lost, workingError } from "./engine-errors.js";
import { SlopLensError } from "../../model/errors.js";

/** How long placing may take, in milliseconds: a workspace may be large and the engine far away. */
const DEADLINE = 10 * 60_000;

export interface PutOptions {
  readonly workspace: string;
  readonly harness: string;
  readonly home: string;
  readonly uid: number;
  readonly gid: number;
  readonly purpose: "agent" | "evaluation";
}

/**
 * Places a plan's files in a created container, in one archive.
 *
 * The workspace of an evaluation belongs to root and has the sticky bit: the solution may make files in it, and can
 * neither delete nor replace what is not its own. An agent owns its workspace, because Git refuses to work in a folder
 * of somebody else.
 */
export async function putFiles(
  container: Docker.Container,
  plan: PlacementPlan,
  options: PutOptions,
  signal: AbortSignal,
): Promise<void> {
  const guarded = options.purpose === "evaluation" || plan.guardsWorkspace;
  const archive = packPlan(
    plan.entries(),
    {
      ...options,
      workspaceMode: guarded ? 0o1777 : 0o755,
      workspaceOwner: guarded ? "harness" : "solution",
    },
    signal,
  );
  // Whatever goes wrong while reading is also what the request fails with; this keeps the first reason.
  let reason: unknown;
  archive.once("error", (error) => {
    reason = error;
  });
  const what = "placing files";
  try {
    await within(container.putArchive(archive, { path: "/", abortSignal: signal }), {
      milliseconds: DEADLINE,
      onExpiry: () => lost(what, "the engine takes too long"),
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw cancelled();
    throw SlopLensError.is(reason) ? reason : workingError(error, what);
  } finally {
    archive.destroy();
  }
}
