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
    [`${head.messages} ${head.messages === 1 ? "message" : "messages"}`, ...head.totals].join(" · "),
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
      element("p", { class: "banner failed", role: "alert" }, `The agent gave up: ${head.failure}`),
    );
  }
  if (head.cues.length > 0) part.append(cueList(head, actions));
  part.append(...head.notes.map((note) => element("p", { class: "banner" }, note)));
  return part;
}

function tools(actions: HeadActions): HTMLElement {
  const unfold = button(
    { title: "Unfold all, so that Find reaches everything (e)" },
    () => {
      actions.onUnfold(true);
    },
    "Unfold All",
  );
  const fold = button(
    { title: "Fold all (f)" },
    () => {
      actions.onUnfold(false);
    },
    "Fold All",
  );
  return element(
    "div",
    { class: "tools", role: "toolbar" },
    unfold,
    fold,
    button({}, actions.onExport, "Export as ATIF…"),
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
      ? "One call may look at what it should not see"
      : `${items.length} calls may look at what they should not see`;
  return element(
    "details",
    { class: "banner cues", open: items.length <= 5 },
    element("summary", {}, title),
    element("ul", {}, ...items),
  );
}
