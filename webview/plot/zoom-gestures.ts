/** Zooms by the pointer: a drag over a stretch of checkpoints, or the wheel with Ctrl, as which trackpads report a pinch. */
import { element } from "../dom.js";
import { edgesOf, placeAt } from "./zoom.js";

export interface ZoomEvents {
  /** A stretch between two of the shown places was dragged over. */
  readonly onStretch: (places: readonly [number, number]) => void;
  /** One step in or out around one of the shown places. */
  readonly onStep: (direction: "in" | "out", at: number) => void;
}

/** So many pixels are still a click. */
const CLICK = 6;
/** So many pixels of the wheel are one step; a notch of a mouse is more. */
const WHEEL_STEP = 50;
const LINE = 16;

/** Holds panels that share their edges, and listens to the pointer above them. */
export class ZoomGestures {
  readonly root: HTMLElement;
  private readonly mark = element("div", { class: "stretch", hidden: true });
  /** Where the button was pressed, in pixels from the left. */
  private begun: number | undefined;
  private wheeled = 0;
  private count = 0;

  constructor(
    panels: HTMLElement,
    private readonly events: ZoomEvents,
  ) {
    this.root = element("div", { class: "zoomable" }, panels, this.mark);
    this.root.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && event.pointerType !== "touch") this.begun = this.xOf(event);
    });
    this.root.addEventListener("pointermove", (event) => {
      this.move(event);
    });
    this.root.addEventListener("pointerup", (event) => {
      this.end(event);
    });
    this.root.addEventListener("lostpointercapture", () => {
      this.forget();
    });
    this.root.addEventListener(
      "wheel",
      (event) => {
        this.wheel(event);
      },
      { passive: false },
    );
  }

  /** @param count of the places that are shown */
  update(count: number): void {
    this.count = count;
  }

  private xOf(event: MouseEvent): number {
    return event.clientX - this.root.getBoundingClientRect().left;
  }

  private placeOf(x: number): number {
    return placeAt(x, this.root.clientWidth, this.count);
  }

  /** From the first real move on the pointer belongs to the drag, so that its end is no click on a point. */
  private move(event: PointerEvent): void {
    if (this.begun === undefined) return;
    if (event.buttons === 0) {
      this.forget();
      return;
    }
    const x = this.xOf(event);
    if (Math.abs(x - this.begun) > CLICK) this.root.setPointerCapture(event.pointerId);
    const places = [this.placeOf(this.begun), this.placeOf(x)] as const;
    this.mark.hidden = places[0] === places[1];
    const { left, width } = edgesOf(places, this.root.clientWidth, this.count);
    this.mark.style.left = `${left}px`;
    this.mark.style.width = `${width}px`;
  }

  private end(event: PointerEvent): void {
    const { begun } = this;
    const isDragged = this.root.hasPointerCapture(event.pointerId);
    this.forget();
    if (begun !== undefined && isDragged)
      this.events.onStretch([this.placeOf(begun), this.placeOf(this.xOf(event))]);
  }

  private forget(): void {
    this.begun = undefined;
    this.mark.hidden = true;
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.wheeled += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1);
    if (Math.abs(this.wheeled) < WHEEL_STEP) return;
    const direction = this.wheeled < 0 ? "in" : "out";
    this.wheeled = 0;
    this.events.onStep(direction, this.placeOf(this.xOf(event)));
  }
}
