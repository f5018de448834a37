/** The language that VS Code speaks. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Has the VS Code of `folder` speak a language, as its command "Configure Display Language" would. VS Code speaks only
 * what a language pack is registered for; this one has no words of its own, so those of VS Code stay English.
 * @param folder private folder of a server that has not started
 */
export async function speak(language: string, folder: string): Promise<void> {
  const userData = path.join(folder, "user-data");
  await mkdir(path.join(userData, "User"), { recursive: true });
  const words = path.join(folder, "language-pack.json");
  const pack = {
    hash: "slop-lens-test",
    label: language,
    extensions: [{ extensionIdentifier: { id: "slop-lens-test.language" }, version: "0.0.1" }],
    translations: { vscode: words },
  };
  await writeFile(words, JSON.stringify({ version: "1.0.0", contents: {} }));
  await writeFile(path.join(userData, "languagepacks.json"), JSON.stringify({ [language]: pack }));
  await writeFile(path.join(userData, "User/argv.json"), JSON.stringify({ locale: language }));
}
