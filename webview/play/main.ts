/** The Play view's page: buttons, slider and the picture of the trajectory; asks its host for each step. */
import "../texts.js";
import * as l10n from "@vscode/l10n";
import type { PlayData, PlayMode, ToPlayHost, ToPlayPage } from "../../src/core/report/play-protocol.js";
import "../base.css";
import { switchOf, tool } from "../controls.js";
import { element, svgElement } from "../dom.js";
import { chartLayers, chartMargins, sliderY, spokenStep, xOf } from "./chart.js";
import "./play.css";
import { goTo, IDLE, indexAfter, type Player, type Speed, SPEEDS, toggled, told } from "./player.js";

interface PageState {
  readonly speed: Speed;
}
interface Host {
  postMessage(message: ToPlayHost): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
}
declare function acquireVsCodeApi(): Host;

const ICONS = {
  restart: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v3h3",
  back: "M10 3L5 8l5 5",
  forward: "M6 3l5 5-5 5",
  play: "M5 3l8 5-8 5z",
  pause: "M5.5 3v10M10.5 3v10",
} as const;
const LEAST_HEIGHT = 150;
/** What a slider's thumb sticks out at both ends. */
const THUMB = 8;

class PlayPage {
  private data: PlayData | undefined;
  private player: Player = IDLE;
  private speed: Speed;
  private clock: ReturnType<typeof setTimeout> | undefined;
  private readonly bar = element("div");
  private readonly notes = element("p", { class: "notes", role: "status" });
  private readonly spoken = element("p", { class: "spoken", "aria-live": "polite" });
  private readonly slider = element("input", {
    type: "range",
    min: "0",
    step: "1",
    "aria-label": l10n.t("Checkpoint"),
  });
  private readonly layers = svgElement("g", {});
  private readonly cursor = svgElement("g", { class: "cursor" });
  private readonly svg = svgElement("svg", { role: "img" });
  private readonly picture = element("div", { class: "picture" }, this.slider, this.svg);

  constructor(
    root: HTMLElement,
    private readonly host: Host,
  ) {
    this.speed = host.getState()?.speed ?? "1×";
    this.svg.append(this.layers, this.cursor);
    root.append(this.bar, this.notes, this.picture, this.spoken);
    this.slider.addEventListener("input", () => {
      this.go(Number(this.slider.value));
    });
    document.addEventListener("keydown", (event) => {
      this.onKey(event);
    });
    new ResizeObserver(() => {
      this.draw();
    }).observe(this.picture);
    this.notes.textContent = l10n.t("Reading the snapshots…");
    this.bar.hidden = true;
    this.picture.hidden = true;
  }

  receive({ data }: ToPlayPage): void {
    const isNew = this.data?.title !== data.title;
    if (isNew) this.player = IDLE;
    this.data = data;
    this.take(told(this.player, data));
    if (isNew) this.slider.focus();
  }

  private go(index: number): void {
    this.take(goTo(this.player, index, this.count));
  }

  private toggle(): void {
    this.take(toggled(this.player, this.count));
  }

  /** Takes a state over: asks the host for its step, and sets the clock when that is shown. */
  private take(player: Player): void {
    const before = this.player;
    this.player = player;
    if (player.awaited !== undefined && player.awaited !== before.awaited)
      this.host.postMessage({ type: "step", index: player.awaited });
    if (player.playing !== before.playing || player.awaited !== before.awaited) this.setClock();
    this.render();
  }

  private setClock(): void {
    clearTimeout(this.clock);
    if (!this.player.playing || this.player.awaited !== undefined) return;
    this.clock = setTimeout(() => {
      this.go(this.player.at + 1);
    }, SPEEDS[this.speed]);
  }

  private get count(): number {
    return this.data?.steps.length ?? 0;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof HTMLSelectElement) return;
    if (event.key === " " && !(target instanceof HTMLButtonElement)) this.toggle();
    else if (event.key === "f") this.openFollow();
    else {
      const index = indexAfter(event.key, this.player.at, this.count);
      if (index === undefined) return;
      this.go(index);
    }
    event.preventDefault();
  }

  /** Waits for the choice, and gives the keys back to the slider then. */
  private openFollow(): void {
    if (this.player.playing) this.toggle();
    const select = this.bar.querySelector("select");
    select?.focus();
    select?.showPicker();
    select?.addEventListener("change", () => {
      this.slider.focus();
    });
  }

  private render(): void {
    const { data } = this;
    if (data === undefined) return;
    const focused = this.bar.contains(document.activeElement) ? labelOf(document.activeElement) : undefined;
    this.bar.hidden = false;
    this.bar.replaceChildren(this.toolbar(data));
    if (focused !== undefined) {
      const again = [...this.bar.querySelectorAll("button, select")].find((one) => labelOf(one) === focused);
      if (again instanceof HTMLElement) again.focus();
    }
    this.picture.hidden = false;
    this.slider.max = String(Math.max(0, this.count - 1));
    this.slider.value = String(this.player.at);
    this.slider.disabled = this.count < 2;
    const spoken = spokenStep(data, this.player.at);
    this.slider.setAttribute("aria-valuetext", spoken);
    this.svg.setAttribute("aria-label", spoken);
    this.notes.textContent = this.said(data);
    if (!this.player.playing && this.player.awaited === undefined) this.spoken.textContent = spoken;
    this.draw();
  }

  private said(data: PlayData): string {
    const step = data.steps[this.player.at];
    const [read, all] = [data.read, data.steps.length];
    const reading = read < all ? [l10n.t("Reading {0} of {1}…", read, all)] : [];
    const live = data.live && this.player.at === this.count - 1 ? [l10n.t("The run goes on.")] : [];
    return [...(step?.notes ?? []), ...reading, ...live].join(" ");
  }

  private toolbar(data: PlayData): HTMLElement {
    const { at, playing } = this.player;
    const step = data.steps[at];
    const play = tool(
      playing ? l10n.t("Pause (Space)") : l10n.t("Play (Space)"),
      playing ? ICONS.pause : ICONS.play,
      undefined,
      () => {
        this.toggle();
      },
    );
    play.classList.add("primary");
    play.disabled = this.count < 2;
    return element(
      "div",
      { class: "toolbar play-bar", role: "toolbar", "aria-label": l10n.t("Play") },
      this.stepper(l10n.t("First Checkpoint (Home)"), ICONS.restart, 0),
      this.stepper(l10n.t("Step Back (Left)"), ICONS.back, at - 1),
      play,
      this.stepper(l10n.t("Step Forward (Right)"), ICONS.forward, at + 1),
      this.speeds(),
      this.follow(data),
      this.modes(data.mode),
      element("span", { class: "space" }),
      element("span", { class: "run", title: data.title }, data.title),
      element(
        "b",
        { class: "count" },
        l10n.t("Checkpoint {0} of {1}", step?.order ?? "", data.steps.at(-1)?.order ?? ""),
      ),
    );
  }

  private stepper(label: string, path: string, index: number): HTMLElement {
    const created = tool(label, path, undefined, () => {
      this.go(index);
    });
    const to = Math.max(0, Math.min(this.count - 1, index));
    created.setAttribute("aria-disabled", String(to === this.player.at));
    return created;
  }

  private speeds(): HTMLElement {
    const names = Object.keys(SPEEDS) as Speed[];
    return switchOf(
      l10n.t("Speed"),
      names.map((speed) => ({
        label: speed,
        pressed: speed === this.speed,
        onChoose: () => {
          this.speed = speed;
          this.host.setState({ speed });
          this.setClock();
          this.render();
        },
      })),
    );
  }

  private follow(data: PlayData): HTMLElement {
    const options = data.choices.map(({ id, name }) =>
      element("option", { value: id, selected: id === data.followed?.id }, l10n.t("Follow {0}", name)),
    );
    const select = element(
      "select",
      { class: "follow", "aria-label": l10n.t("Followed callable (f)") },
      ...options,
    );
    select.disabled = options.length === 0;
    if (options.length === 0) select.append(element("option", {}, l10n.t("Nothing to follow")));
    select.addEventListener("change", () => {
      this.host.postMessage({ type: "follow", id: select.value });
    });
    return select;
  }

  private modes(mode: PlayMode): HTMLElement {
    const choice = (label: string, wanted: PlayMode) => ({
      label,
      pressed: mode === wanted,
      onChoose: () => {
        this.host.postMessage({ type: "mode", mode: wanted });
      },
    });
    return switchOf(l10n.t("What the editor shows"), [
      choice(l10n.t("Changes"), "changes"),
      choice(l10n.t("File"), "file"),
    ]);
  }

  /** Draws the picture to the size that there is, and moves slider and cursor to their places. */
  private draw(): void {
    const { data } = this;
    if (data === undefined) return;
    const size = {
      width: this.picture.clientWidth,
      height: Math.max(LEAST_HEIGHT, this.picture.clientHeight),
    };
    this.svg.setAttribute("width", String(size.width));
    this.svg.setAttribute("height", String(size.height));
    this.layers.replaceChildren(...chartLayers(data, this.player.at, size));
    const y = sliderY(size);
    const { left, right } = chartMargins(size.width);
    this.slider.style.left = `${left - THUMB}px`;
    this.slider.style.width = `${size.width - left - right + 2 * THUMB}px`;
    this.slider.style.top = `${y - THUMB}px`;
    if (this.cursor.childElementCount === 0)
      this.cursor.append(
        svgElement("line", { x1: 0, x2: 0, y1: 4, y2: y }),
        svgElement("circle", { cx: 0, cy: y, r: 7.5 }),
      );
    this.cursor.querySelector("line")?.setAttribute("y2", String(y));
    this.cursor.querySelector("circle")?.setAttribute("cy", String(y));
    this.cursor.style.transform = `translateX(${xOf(this.player.at, this.count, size.width)}px)`;
  }
}

/** Names a control over rebuilds of the bar; Play and Pause are one button. */
function labelOf(control: Element | null): string | undefined {
  const label = control?.getAttribute("aria-label") ?? control?.textContent;
  return label === l10n.t("Pause (Space)") ? l10n.t("Play (Space)") : (label ?? undefined);
}

const root = document.getElementById("app");
if (root) {
  const host = acquireVsCodeApi();
  const page = new PlayPage(root, host);
  window.addEventListener("message", (event: MessageEvent<ToPlayPage>) => {
    page.receive(event.data);
  });
  host.postMessage({ type: "ready" });
}
