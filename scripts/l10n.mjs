#!/usr/bin/env node
/**
 * Writes the list of all texts that users read, and says what translations lack.
 *
 *   l10n.mjs
 */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import {
  englishFile,
  faultsOf,
  languages,
  manifestTexts,
  textsInSources,
  translationOf,
} from "./lib/texts.mjs";

const texts = await textsInSources();
await writeFile(englishFile, `${JSON.stringify(texts, null, 2)}\n`);
console.log(`${englishFile}: ${Object.keys(texts).length} texts`);
for (const language of languages()) {
  const faults = [
    ...faultsOf(texts, translationOf(language)),
    ...faultsOf(manifestTexts(), manifestTexts(language)),
  ];
  console.log(`${language}: ${faults.length === 0 ? "complete" : `${faults.length} faults`}`);
  for (const fault of faults) console.error(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
