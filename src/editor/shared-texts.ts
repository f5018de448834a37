/** Gives the words that the core writes for all its hosts in the language of VS Code. To be imported before them. */
import * as shared from "@vscode/l10n";
import { l10n } from "vscode";

if (l10n.bundle !== undefined) shared.config({ contents: l10n.bundle });
