import type { Agent } from "../core/agent/agent.js";
import { openAiModel } from "../core/agent/openai/openai-model.js";
import { modelAgent } from "../core/agent/tool-loop/model-agent.js";
import { SlopLensError } from "../core/model/errors.js";
import type { ModelOptions } from "./model-options.js";

/**
 * The agent that the options ask for.
 * @param env variables of the user
 * @param harness folder of the product's Python files
 * @throws SlopLensError bad-input, agent-invalid
 */
export function chooseModel(
  options: ModelOptions,
  env: Readonly<Record<string, string | undefined>>,
  harness: string,
): Agent {
  const { endpoint, model, keyEnv } = options;
  if (endpoint === undefined || model === undefined) {
    throw new SlopLensError(
      "bad-input",
      "--agent model needs --endpoint URL and --model NAME",
      "Name an endpoint that speaks OpenAI's chat completions, and the model there.",
    );
  }
  const key = keyEnv === undefined ? undefined : env[keyEnv]?.trim();
  if (keyEnv !== undefined && (key === undefined || key === "")) {
    throw new SlopLensError(
      "agent-invalid",
      `The model's key is to be in ${keyEnv}, which is not set`,
      "Set it in the environment, or leave --key-env out for an endpoint without keys.",
    );
  }
  const chat = openAiModel({ endpoint, model, key, keyName: keyEnv, contextTokens: options.context });
  return modelAgent(chat, { harness, prices: options.prices });
}
