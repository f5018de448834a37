import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { maskFolder, maskWarning } from "../../../src/core/agent/mask-folder.js";
import { NEVER, temporaryFolder } from "../sandbox/support.js";

const KEY = "sk-test/0123456789+abcdef";

describe("a folder of what an agent wrote", () => {
  it("keeps texts with the key masked, in every form, and loses what cannot be masked", async () => {
    using folder = temporaryFolder();
    const at = (name: string): string => path.join(folder.path, name);
    await mkdir(at("deep"));
    await writeFile(at("deep/plain.txt"), `key=${KEY}!`);
    await writeFile(at("base64.txt"), Buffer.from(`user:${KEY}:x`).toString("base64"));
    await writeFile(at("hex.txt"), Buffer.from(KEY).toString("hex"));
    await writeFile(at("url.txt"), `?k=${encodeURIComponent(KEY)}`);
    await writeFile(at("data.bin"), Buffer.concat([Buffer.from([0, 1]), Buffer.from(KEY)]));
    await writeFile(at("clean.py"), "print('é')\n");
    await symlink(`/tmp/${KEY.replaceAll("/", "-")}`, at("link"));
    const done = await maskFolder(folder.path, [KEY], NEVER);
    expect([...done.masked].sort()).toEqual(["base64.txt", "deep/plain.txt", "hex.txt", "url.txt"]);
    expect(done.dropped).toEqual(["data.bin"]);
    expect((await readdir(folder.path)).sort()).toEqual([
      ...["base64.txt", "clean.py", "deep", "hex.txt", "link", "url.txt"],
    ]);
    expect(await readFile(at("deep/plain.txt"), "utf8")).toBe("key=***!");
    expect(await readFile(at("clean.py"), "utf8")).toBe("print('é')\n");
    expect(await readFile(at("base64.txt"), "utf8")).toContain("***");
    expect(maskWarning(done)).toContain("left out: data.bin");
  });

  it("loses a file or link with the key in its name, and does not tell the name", async () => {
    using folder = temporaryFolder();
    await writeFile(path.join(folder.path, "is-secret-key"), "x");
    await symlink("/tmp/secret-key", path.join(folder.path, "link"));
    const done = await maskFolder(folder.path, ["secret-key"], NEVER);
    expect(done).toEqual({ masked: [], dropped: ["is-***", "link"] });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("says nothing when there was nothing", async () => {
    using folder = temporaryFolder();
    expect(maskWarning(await maskFolder(folder.path, [KEY], NEVER))).toBeUndefined();
  });
});
