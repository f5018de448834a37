import { z } from "zod";

const count = z.number().int().nonnegative();
/** The kernel's number for "no limit" is larger than what counts as an integer here. */
const counter = z
  .number()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? undefined);

/** What the harness tells, as in `harness/slop_lens_harness/reporter.py` and `harness/supervisor.py`. */
const harnessEvent = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("setup"),
    code: z.number().int(),
    seconds: z.number(),
    output: z.string(),
    /** False: what was to be exported could not be read, and the tests have the environment from before. */
    understood: z.boolean(),
    /** Names that were exported, or changed, and did not reach the tests. */
    left: z.array(z.string()),
  }),
  z.object({ event: z.literal("refused"), message: z.string() }),
  z.object({ event: z.literal("start"), pytest: z.string(), python: z.string() }),
  z.object({ event: z.literal("collect-error"), node: z.string(), message: z.string() }),
  z.object({ event: z.literal("collect-skip"), node: z.string(), message: z.string() }),
  z.object({
    event: z.literal("collected"),
    tests: z.array(
      z.object({ node: z.string(), line: count.nullable(), markers: z.array(z.string()).readonly() }),
    ),
  }),
  z.object({ event: z.literal("test-start"), node: z.string() }),
  z.object({
    event: z.literal("test-finish"),
    node: z.string(),
    status: z.enum(["passed", "failed", "skipped", "error"]),
    seconds: z.number(),
    message: z.string().nullable(),
  }),
  z.object({ event: z.literal("internal-error"), message: z.string() }),
  z.object({ event: z.literal("interrupted"), message: z.string() }),
  z.object({ event: z.literal("finish"), code: z.number().int(), collected: count, reported: count }),
  z.object({
    event: z.literal("exit"),
    /** Negative: the signal that ended pytest. */
    code: z.number().int(),
    seconds: z.number(),
    /** Processes that outlived pytest and were killed. */
    strays: count,
    memoryLimit: counter,
    memoryPeak: counter,
    oomKills: counter,
    processesRefused: counter,
  }),
]);

export type HarnessEvent = z.infer<typeof harnessEvent>;
export type HarnessEventOf<Name extends HarnessEvent["event"]> = Extract<HarnessEvent, { event: Name }>;

/** Reads one message; undefined when it is not one of the harness's. */
export function parseHarnessEvent(text: string): HarnessEvent | undefined {
  try {
    const parsed = harnessEvent.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
