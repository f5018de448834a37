import { copyFile, lstat, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import path from "node:path";
import { copyTree } from "../sandbox/archive/copy-tree.js";
import type { Problem, StaticAsset } from "../model/problem.js";

/** A folder that goes away with its scope; hidden, so that one which a crash left behind is passed over by readers. */
export class ScratchFolder implements AsyncDisposable {
  private constructor(readonly path: string) {}

  /** @param parent folder of the run, so that nothing is left elsewhere when this process is killed */
  static async createIn(parent: string): Promise<ScratchFolder> {
    return new ScratchFolder(await mkdtemp(path.join(parent, ".workspace-")));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Lays out the workspace with which a turn begins: the parent's snapshot and the problem's static assets on top.
 * @param target folder to fill; created
 * @param parent the parent turn's snapshot, undefined to begin empty
 */
export async function layWorkspace(
  target: string,
  parent: string | undefined,
  problem: Problem,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(target, { recursive: true });
  if (parent !== undefined) await copyTree(parent, target, { keep: everything, signal });
  for (const asset of problem.staticAssets) await layAsset(target, asset, signal);
}

const everything = (): boolean => true;

async function layAsset(workspace: string, asset: StaticAsset, signal: AbortSignal): Promise<void> {
  const target = path.join(workspace, asset.savePath);
  await clearWay(workspace, asset.savePath);
  if ((await stat(asset.source)).isDirectory()) {
    await copyTree(asset.source, target, { keep: everything, signal });
    return;
  }
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(asset.source, target);
}

/**
 * Removes what stands in an asset's place, and files or links in the place of the folders above it: an agent's link
 * must not lead a write of ours out of the workspace.
 */
async function clearWay(workspace: string, savePath: string): Promise<void> {
  const parts = savePath.split("/").filter((part) => part !== "" && part !== ".");
  for (let depth = 1; depth <= parts.length; depth++) {
    const place = path.join(workspace, ...parts.slice(0, depth));
    const stats = await lstat(place).catch(() => undefined);
    if (stats === undefined) return;
    if (!stats.isDirectory() || depth === parts.length) await rm(place, { recursive: true });
  }
}
