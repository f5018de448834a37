/** How long a thread is blocked, and what of that is its own doing. */
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { clearInterval, setInterval } from "node:timers";

const EVERY_MS = 1;

/**
 * Looks every millisecond how late it is, and how long the thread has run since. On a machine that does other work, too, a
 * thread is late without having done anything: it was put off, or woken late. Only Linux tells what a thread has run.
 */
export class ThreadBlocks {
  /** @type {{ clock: number, ran: number }[]} in milliseconds */
  #looks = [];
  #last = reading();
  #apart = { at: 0, ran: 0 };
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  start() {
    this.#last = reading();
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  stop() {
    clearInterval(this.#timer);
  }

  /**
   * Does what only the measurement needs: it blocks nobody.
   * @template Value
   * @param {() => Value} work
   * @returns {Value}
   */
  apart(work) {
    const before = reading();
    const value = work();
    const after = reading();
    this.#apart.at += after.at - before.at;
    this.#apart.ran += after.ran - before.ran;
    return value;
  }

  /**
   * Of each look how late it was, and what the thread ran before it. A thread at work is counted some milliseconds late, so
   * that what it ran until the next look belongs to it, too: the figure is rather too high.
   * @returns {{ clock: number[], ran: number[] }}
   */
  lists() {
    return {
      clock: this.#looks.map(({ clock }) => clock),
      ran: this.#looks.map(({ ran }, look) => ran + (this.#looks[look + 1]?.ran ?? 0)),
    };
  }

  #look() {
    const now = reading();
    const clock = Math.max(0, now.at - this.#last.at - this.#apart.at - EVERY_MS);
    const ran = now.ran - this.#last.ran - this.#apart.ran;
    this.#looks.push({ clock, ran });
    this.#last = now;
    this.#apart = { at: 0, ran: 0 };
  }
}

/** The clock, and how long this thread has run, in milliseconds. */
function reading() {
  return { at: performance.now(), ran: ran() };
}

function ran() {
  try {
    const [nanoseconds] = readFileSync("/proc/thread-self/schedstat", "latin1").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return Number.NaN;
  }
}
