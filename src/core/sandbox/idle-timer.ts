import { timerMilliseconds } from "./deadline.js";

/** Calls back when it was not reset for too long. */
export class IdleTimer {
  readonly #timer: NodeJS.Timeout | undefined;

  /** @param seconds undefined for a timer that never goes off */
  constructor(seconds: number | undefined, onIdle: () => void) {
    this.#timer = seconds === undefined ? undefined : setTimeout(onIdle, timerMilliseconds(seconds));
  }

  reset(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
