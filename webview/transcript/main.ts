/** The page: takes the transcript piece by piece, draws it a little at a time, keeps what is unfolded. */
import "../texts.js";
import * as l10n from "@vscode/l10n";
import type {
  PageMessage,
  ToTranscriptHost,
  ToTranscriptPage,
} from "../../src/core/report/transcript-page.js";
import { element } from "../dom.js";
import { headPart } from "./head.js";
import { messageItem, type PartContext } from "./parts.js";
import type { PageState } from "./state.js";
import "./transcript.css";

interface Host {
  postMessage(message: ToTranscriptHost): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
}
declare function acquireVsCodeApi(): Host;

/** Messages drawn in one go; the page answers in between. */
const DRAWN_AT_ONCE = 60;
/** A reader who is so near to the end, in pixels, is taken to be there. */
const NEAR_END = 100;
const SETTLING_FRAMES = 3;

class TranscriptPage {
  private readonly head = element("div");
  private readonly list = element("ol", { class: "messages" });
  private readonly status = element("p", { class: "status dim", role: "status" });
  private readonly open: Set<string>;
  private waiting: PageMessage[] = [];
  private drawn = 0;
  private expected = 0;
  /** More is to come. */
  private isLive = false;
  /** What is drawn goes on from what stands there, so that the reader's place is kept. */
  private isFollowing = false;
  /** The reader is at the end, and stays there as more comes. */
  private sticks = false;
  private top: number;
  private drawing = 0;
  private readonly context: PartContext;

  constructor(
    root: HTMLElement,
    private readonly folder: string,
    private readonly host: Host,
  ) {
    const kept = host.getState();
    const state = kept?.folder === folder ? kept : undefined;
    this.open = new Set(state?.open);
    this.top = state?.top ?? 0;
    this.status.textContent = l10n.t("Reading…");
    this.context = {
      isOpen: (key) => this.open.has(key),
      onFold: (key, open) => {
        if (open === this.open.has(key)) return;
        if (open) this.open.add(key);
        else this.open.delete(key);
        this.keep();
      },
      onOpenFile: (file) => {
        host.postMessage({ type: "open-file", file });
      },
      onCopy: (text) => {
        host.postMessage({ type: "copy", text });
      },
    };
    root.append(this.head, this.list, this.status);
    this.keep();
    document.addEventListener("keydown", (event) => {
      this.onKey(event);
    });
    document.addEventListener("scrollend", () => {
      this.rememberTop();
    });
  }

  receive(message: ToTranscriptPage): void {
    switch (message.type) {
      case "head":
        this.begin(message);
        break;
      case "messages":
        this.waiting.push(...message.messages);
        this.drawSoon();
        break;
      case "trouble":
        this.status.hidden = false;
        this.status.textContent = message.text;
        break;
    }
  }

  private begin({ head, from, live }: Extract<ToTranscriptPage, { type: "head" }>): void {
    if (this.drawn > 0 && from === 0) this.top = this.firstInSight();
    this.isFollowing = from > 0 && this.drawn > 0;
    this.sticks = this.isFollowing && endDistance() < NEAR_END;
    this.head.replaceChildren(
      headPart(head, {
        onUnfold: (open) => {
          this.foldAll(open);
        },
        onExport: () => {
          this.host.postMessage({ type: "export" });
        },
        onGo: (message, call) => {
          this.go(message, call);
        },
      }),
    );
    if (!this.isFollowing) this.list.replaceChildren();
    const kept = Math.min(this.drawn, from);
    this.waiting = this.waiting.slice(0, from - kept);
    [this.drawn, this.expected, this.isLive] = [kept, head.messages, live];
    this.tellStatus();
    this.drawSoon();
  }

  private tellStatus(): void {
    this.status.hidden = this.drawn >= this.expected && this.expected > 0 && !this.isLive;
    if (this.drawn < this.expected) this.status.textContent = l10n.t("Reading…");
    else
      this.status.textContent = this.isLive
        ? l10n.t("The agent is at work…")
        : l10n.t("The agent left no message.");
  }

  private drawSoon(): void {
    if (this.drawing !== 0) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = 0;
      this.draw();
    });
  }

  private draw(): void {
    const some = this.waiting.splice(0, DRAWN_AT_ONCE);
    const before = this.drawn;
    for (const message of some) this.put(messageItem(message, this.drawn, this.context));
    if (this.drawn >= this.expected) this.trim();
    if (this.sticks) goToEnd();
    if (!this.isFollowing && before <= this.top && this.top < this.drawn && this.top > 0)
      this.message(this.top)?.scrollIntoView();
    if (this.waiting.length > 0) this.drawSoon();
    this.tellStatus();
  }

  /** Puts a message where it belongs; what stood there was told before it was whole. */
  private put(item: HTMLLIElement): void {
    const old = this.list.children[this.drawn];
    this.drawn += 1;
    if (old === undefined) {
      this.list.append(item);
      return;
    }
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(item);
    if (hadFocus) item.querySelector("article")?.focus({ preventScroll: true });
  }

  private trim(): void {
    while (this.list.children.length > this.expected) this.list.lastElementChild?.remove();
  }

  private message(index: number): HTMLElement | null {
    return document.getElementById(`message-${index}`);
  }

  private go(message: number, call: number): void {
    const item = this.message(message);
    const details = item?.querySelector<HTMLDetailsElement>(`details[data-key="${message}:${call}"]`);
    if (details) details.open = true;
    (details ?? item)?.scrollIntoView({ block: "center" });
    (details?.querySelector("summary") ?? item?.querySelector("article"))?.focus({ preventScroll: true });
  }

  /** A little at a time: with thousands of messages all at once would hold up the page. */
  private foldAll(open: boolean): void {
    const all = [...this.list.querySelectorAll("details")].filter((details) => details.open !== open);
    const some = (): void => {
      for (const details of all.splice(0, DRAWN_AT_ONCE)) details.open = open;
      if (all.length > 0) requestAnimationFrame(some);
    };
    some();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "e" || event.key === "f") this.foldAll(event.key === "e");
    else if (event.key === "j") this.focusNext(1);
    else if (event.key === "k") this.focusNext(-1);
    else return;
    event.preventDefault();
  }

  private focusNext(step: 1 | -1): void {
    const here = document.activeElement?.closest("li.message");
    const index = here ? Number(here.id.slice("message-".length)) + step : this.firstInSight();
    const article = this.message(index)?.querySelector("article");
    article?.focus();
    article?.scrollIntoView({ block: "nearest" });
  }

  private firstInSight(): number {
    const items = this.list.children;
    let [from, to] = [0, items.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((items[middle]?.getBoundingClientRect().bottom ?? 0) <= 8) from = middle + 1;
      else to = middle;
    }
    return Math.min(from, Math.max(0, items.length - 1));
  }

  private rememberTop(): void {
    if (this.drawn < this.expected) return;
    this.top = this.firstInSight();
    this.keep();
  }

  private keep(): void {
    this.host.setState({ folder: this.folder, open: [...this.open], top: this.top });
  }
}

/** Pixels below what is in sight. */
function endDistance(): number {
  return document.documentElement.scrollHeight - window.innerHeight - window.scrollY;
}

/** Messages that come into sight get their true height only then, so that the end moves for a few frames. */
function goToEnd(frames = SETTLING_FRAMES): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
  if (frames > 0)
    requestAnimationFrame(() => {
      goToEnd(frames - 1);
    });
}

const root = document.getElementById("app");
const folder = document.body.dataset["folder"];
if (root && folder !== undefined) {
  const host = acquireVsCodeApi();
  const page = new TranscriptPage(root, folder, host);
  window.addEventListener("message", (event: MessageEvent<ToTranscriptPage>) => {
    page.receive(event.data);
  });
  host.postMessage({ type: "ready" });
}
