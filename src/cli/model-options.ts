import { type Command, InvalidArgumentError } from "commander";
import type { ModelSource } from "../core/agent/agent-source.js";
import type { Prices } from "../core/agent/tool-loop/prices.js";
import { SlopLensError } from "../core/model/errors.js";
import { numberOf } from "./option-values.js";

/** What `--agent model` is told of its model. */
export interface ModelOptions {
  readonly endpoint: string | undefined;
  readonly model: string | undefined;
  /** Name of the variable that holds the key. */
  readonly keyEnv: string | undefined;
  /** Tokens. */
  readonly context: number | undefined;
  readonly prices: Prices | undefined;
}

export function addModelOptions(command: Command): Command {
  return command
    .option(
      "--endpoint <url>",
      "where a model speaks OpenAI's chat completions, for example http://localhost:11434/v1",
    )
    .option("--model <name>", "the model, as the agent or the endpoint calls it")
    .option("--key-env <name>", "your variable that holds the endpoint's key; it stays on this machine")
    .option("--context <tokens>", "the model's context window (default: 128000)", numberOf("tokens"))
    .option(
      "--prices <in,out[,cached]>",
      "dollars for a million tokens, where the endpoint tells no cost",
      prices,
    );
}

/** @throws SlopLensError bad-input without an endpoint or a model */
export function modelSource({ endpoint, model, keyEnv, context, prices }: ModelOptions): ModelSource {
  if (endpoint === undefined || model === undefined) {
    throw new SlopLensError(
      "bad-input",
      "--agent model needs --endpoint URL and --model NAME",
      "Name an endpoint that speaks OpenAI's chat completions, and the model there.",
    );
  }
  return { kind: "model", endpoint, model, keyEnv, contextTokens: context, prices };
}

function prices(text: string): Prices {
  const [input, output, cachedInput, ...rest] = text.split(",").map(numberOf("price"));
  if (input === undefined || output === undefined || rest.length > 0) {
    throw new InvalidArgumentError("Give two or three numbers, for example 1.25,10 or 1.25,10,0.125.");
  }
  return { input, output, cachedInput };
}
