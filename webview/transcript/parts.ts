import * as l10n from "@vscode/l10n";
import { timeWords } from "../../src/core/report/format.js";
import type { PageCall, PageEdit, PageMessage } from "../../src/core/report/transcript-page.js";
import { button, element } from "../dom.js";

/** What parts of a message do and know beyond themselves. */
export interface PartContext {
  readonly isOpen: (key: string) => boolean;
  readonly onFold: (key: string, open: boolean) => void;
  readonly onOpenFile: (file: string) => void;
  readonly onCopy: (text: string) => void;
}

const SOURCES = { user: l10n.t("User"), agent: l10n.t("Agent"), system: l10n.t("System") } as const;
const HELPERS = {
  user: l10n.t("Helper of user"),
  agent: l10n.t("Helper of agent"),
  system: l10n.t("Helper of system"),
} as const;

/** A message as an item of the list. */
export function messageItem(message: PageMessage, index: number, context: PartContext): HTMLLIElement {
  const { source, helper, copied, time, model, usage, text, thinking, calls } = message;
  const who = (helper === undefined ? SOURCES : HELPERS)[source];
  const title = element(
    "header",
    {},
    element("h2", {}, `${who} `, element("span", { class: "number" }, `#${index + 1}`)),
    ...[
      copied ? l10n.t("repeated from before") : undefined,
      time === undefined ? undefined : timeWords(time),
      model,
    ]
      .filter((part) => part !== undefined)
      .map((part) => element("span", { class: "dim" }, part)),
    element("span", { class: "usage dim" }, usage.join(" · ")),
  );
  const body = element("div", { class: "body" });
  if (thinking !== "")
    body.append(foldedText(`${index}:thinking`, l10n.t("Thinking"), thinking, "thinking", context));
  if (text !== "") body.append(element("p", { class: "said" }, text));
  body.append(...calls.map((call, number) => callPart(call, `${index}:${number}`, context)));
  const item = element("li", {
    class: `message ${source}${helper === undefined ? "" : " helper"}`,
    id: `message-${index}`,
  });
  item.append(
    element(
      "article",
      { tabindex: "0", "aria-label": l10n.t("{0}, message {1}", who, index + 1) },
      title,
      body,
    ),
  );
  return item;
}

/** A part that is folded until it is wanted; what is in it is made then. */
function folded(
  key: string,
  attributes: { readonly class: string },
  summary: HTMLElement,
  fill: () => readonly HTMLElement[],
  context: PartContext,
): HTMLDetailsElement {
  const details = element("details", { ...attributes, "data-key": key }, summary);
  let filled = false;
  const show = (): void => {
    if (filled) return;
    filled = true;
    details.append(...fill());
  };
  details.addEventListener("toggle", () => {
    if (details.open) show();
    context.onFold(key, details.open);
  });
  if (context.isOpen(key)) {
    show();
    details.open = true;
  }
  return details;
}

function foldedText(
  key: string,
  label: string,
  text: string,
  kind: string,
  context: PartContext,
): HTMLDetailsElement {
  const summary = element(
    "summary",
    {},
    element("b", {}, label),
    element("span", { class: "dim about" }, firstLine(text)),
  );
  return folded(key, { class: kind }, summary, () => [element("p", { class: "said" }, text)], context);
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 200);
}

function callPart(call: PageCall, key: string, context: PartContext): HTMLElement {
  const ending = call.output === undefined ? l10n.t("no answer") : call.failed ? l10n.t("failed") : undefined;
  const summary = element(
    "summary",
    {},
    element("b", {}, call.name),
    element("code", { class: "about" }, call.about),
    ...(ending === undefined ? [] : [element("span", { class: call.failed ? "failed" : "dim" }, ending)]),
  );
  const details = folded(key, { class: "call" }, summary, () => callBody(call, context), context);
  return element(
    "div",
    { class: "call-frame" },
    details,
    ...(call.error === "" || call.edits.length === 0
      ? []
      : [element("p", { class: "error failed" }, call.error)]),
    ...call.edits.map((edit) => editPart(edit, key, context)),
  );
}

function callBody(call: PageCall, context: PartContext): HTMLElement[] {
  const parts = [textBlock(l10n.t("Input"), call.input, context)];
  if (call.output !== undefined)
    parts.push(textBlock(call.failed ? l10n.t("Answer: failed") : l10n.t("Answer"), call.output, context));
  return parts;
}

function textBlock(label: string, text: string, context: PartContext): HTMLElement {
  const copy = button(
    { class: "link", "aria-label": l10n.t("Copy {0}", label.toLowerCase()) },
    () => {
      context.onCopy(text);
    },
    l10n.t("Copy"),
  );
  return element(
    "section",
    { class: "block" },
    element("h3", {}, label, copy),
    element("pre", { tabindex: "0" }, text === "" ? l10n.t("(empty)") : text),
  );
}

function editPart(edit: PageEdit, key: string, context: PartContext): HTMLElement {
  const { file } = edit;
  const counts = edit.applied
    ? element("span", { class: "counts dim" }, `+${edit.added} −${edit.removed}`)
    : element("span", { class: "counts failed" }, l10n.t("not applied"));
  const summary = element(
    "summary",
    {},
    element("code", { class: "about" }, edit.path),
    ...(edit.lines.length > 0 || !edit.applied ? [counts] : []),
  );
  const look = edit.applied ? "edit" : "edit tried";
  const details = folded(`${key}:${edit.path}`, { class: look }, summary, () => [diffTable(edit)], context);
  if (file === undefined) return details;
  const open = button(
    { class: "link", title: l10n.t("Open {0} of the snapshot", file) },
    () => {
      context.onOpenFile(file);
    },
    l10n.t("Open in snapshot"),
  );
  return element("div", { class: "edit-row" }, details, open);
}

const LINE_KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "gap" };

function diffTable({ lines }: PageEdit): HTMLElement {
  const rows = lines.map((line) => {
    const sign = line.slice(0, 1);
    return element(
      "span",
      { class: LINE_KINDS[sign] ?? "kept" },
      sign === "@" ? `⋯${line.slice(1)}\n` : `${line}\n`,
    );
  });
  return element(
    "pre",
    { class: "diff", tabindex: "0" },
    ...(rows.length > 0 ? rows : [l10n.t("(the agent's log does not hold the change)")]),
  );
}
