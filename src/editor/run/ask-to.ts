import type { Services } from "../services.js";
import { agentHost } from "./agent-host.js";
import type { RunChoices } from "./choose.js";
import { Questions } from "./questions.js";

/**
 * Asks the questions of a flow of this window.
 * @param title what is done with the answers
 * @returns what the flow returns; undefined when the user left
 */
export function askTo<T>(
  services: Services,
  title: string,
  flow: (choices: RunChoices) => Promise<T | undefined>,
): Promise<T | undefined> {
  const host = agentHost(services);
  return Questions.ask(title, services.context.globalState, (ask) =>
    flow({ ask, host, state: services.library.state }),
  );
}
