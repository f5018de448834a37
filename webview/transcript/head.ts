import * as l10n from "@vscode/l10n";
import type { TranscriptHead } from "../../src/core/report/transcript-page.js";
import { button, element } from "../dom.js";

export interface HeadActions {
  readonly onUnfold: (open: boolean) => void;
  readonly onExport: () => void;
  /** Shows a message, and the call in it that a cue is about. */
  readonly onGo: (message: number, call: number) => void;
}

/** What stands above the messages: who, what it took, how it ended, what to look at. */
export function headPart(head: TranscriptHead, actions: HeadActions): HTMLElement {
  const facts = element("p", { class: "dim" }, head.agent.join(" · "));
  const totals = element(
    "p",
    { class: "totals" },
    [head.messages === 1 ? l10n.t("1 message") : l10n.t("{0} messages", head.messages), ...head.totals].join(
      " · ",
    ),
  );
  const part = element(
    "header",
    { class: "head" },
    element("h1", {}, head.title),
    facts,
    totals,
    tools(actions),
  );
  if (head.failure !== undefined) {
    part.append(
      element("p", { class: "banner failed", role: "alert" }, l10n.t("The agent gave up: {0}", head.failure)),
    );
  }
  if (head.cues.length > 0) part.append(cueList(head, actions));
  part.append(...head.notes.map((note) => element("p", { class: "banner" }, note)));
  return part;
}

function tools(actions: HeadActions): HTMLElement {
  const unfold = button(
    { title: l10n.t("Unfold all, so that Find reaches everything (e)") },
    () => {
      actions.onUnfold(true);
    },
    l10n.t("Unfold All"),
  );
  const fold = button(
    { title: l10n.t("Fold all (f)") },
    () => {
      actions.onUnfold(false);
    },
    l10n.t("Fold All"),
  );
  return element(
    "div",
    { class: "tools", role: "toolbar" },
    unfold,
    fold,
    button({}, actions.onExport, l10n.t("Export as ATIF…")),
  );
}

function cueList(head: TranscriptHead, actions: HeadActions): HTMLElement {
  const items = head.cues.map(({ text, message, call }) =>
    element(
      "li",
      {},
      button(
        { class: "link" },
        () => {
          actions.onGo(message, call);
        },
        text,
      ),
    ),
  );
  const title =
    items.length === 1
      ? l10n.t("One call may look at what it should not see")
      : l10n.t("{0} calls may look at what they should not see", items.length);
  return element(
    "details",
    { class: "banner cues", open: items.length <= 5 },
    element("summary", {}, title),
    element("ul", {}, ...items),
  );
}
