/** What the extension costs in a real window. */
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { bundleOf } from "./bundle-of.mjs";

/** Clock ticks a second, as Linux tells processor time. */
const ticks = 100;
/** Seconds until a window that was opened has come to rest. */
const settling = 20;

/**
 * @param {string} folder with run folders; opened as it is, nothing is written to it
 * @param {string} vsix
 * @param {number} seconds how long the window is watched while nothing happens
 * @returns {Promise<{ activation: number, tree: number, earlyTree: number, idleCpu: number }>} milliseconds: of the
 *   activation, and from the click to the tree in a window at rest and in one that VS Code itself is still starting; and
 *   seconds of processor time beyond what VS Code's host uses by itself in a window without the extension
 */
export async function measureWindow(folder, vsix, seconds) {
  const bare = await inWindow([], folder, ({ own }) => idleCpu(own, seconds));
  const earlyTree = await inWindow([vsix], folder, ({ workbench, until }) => timeOfTree(workbench, until));
  return inWindow([vsix], folder, async ({ workbench, own, until }) => {
    await sleep(settling * 1000);
    const tree = await timeOfTree(workbench, until);
    const activation = await activationTime(workbench, until);
    await workbench.runCommand("View: Close All Editors");
    return { activation, tree, earlyTree, idleCpu: (await idleCpu(own, seconds)) - bare };
  });
}

/** Seconds of processor time that the window's extension host uses while nothing happens. */
async function idleCpu(own, seconds) {
  await sleep(settling * 1000);
  const host = await extensionHost(own);
  const before = await cpuOf(host);
  await sleep(seconds * 1000);
  return (await cpuOf(host)) - before;
}

/**
 * @template T
 * @param {readonly string[]} packages that are installed
 * @param {string} folder
 * @param {(place: { workbench: any, own: string, until: any }) => Promise<T>} work
 */
async function inWindow(packages, folder, work) {
  const support = await import(pathToFileURL(await bundleOf("window")).href);
  const own = await mkdtemp(path.join(tmpdir(), "sl-"));
  const settings = { "security.workspace.trust.enabled": false };
  const server = await support.CodeServer.start(packages, { folder: own, settings, env: {} });
  try {
    await mkdir(path.join(own, "browser"));
    const browser = await support.WorkbenchBrowser.open(path.join(own, "browser/console.log"));
    try {
      const workbench = new support.Workbench(browser.page);
      await workbench.open(server.url, folder);
      return await work({ workbench, own, until: support.until });
    } finally {
      await browser[Symbol.asyncDispose]();
    }
  } finally {
    await server[Symbol.asyncDispose]();
    await rm(own, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function timeOfTree(workbench, until) {
  await workbench.viewContainer("Slop Lens").waitFor({ timeout: 60_000 });
  const start = performance.now();
  await workbench.openViewContainer("Slop Lens");
  await until(async () => (await workbench.treeRows("Runs")).length > 0, "the rows of the runs", 60_000);
  return performance.now() - start;
}

/** As VS Code itself tells it, in milliseconds. */
async function activationTime(workbench, until) {
  await workbench.runCommand("Developer: Show Running Extensions");
  const row = workbench.page
    .locator(".runtime-extensions-editor .monaco-list-row")
    .filter({ hasText: "Slop Lens" });
  return until(async () => {
    const told = /Activation:\s*(\d+)\s*ms/.exec(await row.first().innerText())?.[1];
    return told === undefined ? undefined : Number(told);
  }, "the activation time");
}

/** The process of the window's extensions, known by the server's own folder in its environment. */
async function extensionHost(folder) {
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const told = async (file) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "");
    if ((await told("cmdline")).includes("--type=extensionHost") && (await told("environ")).includes(folder))
      return name;
  }
  throw new Error("no extension host is running");
}

/** Seconds of processor time that a process with all its threads has used. */
async function cpuOf(id) {
  const text = await readFile(`/proc/${id}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}
