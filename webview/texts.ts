/** Gives a page its texts in the language of VS Code, which its host lays on the body. To be imported before all else. */
import * as l10n from "@vscode/l10n";

const { texts } = document.body.dataset;
if (texts !== undefined) l10n.config({ contents: texts });
