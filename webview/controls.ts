/** Controls that the pages' tool bars share. */
import { button, element, icon } from "./dom.js";

export interface SwitchChoice {
  readonly label: string;
  readonly pressed: boolean;
  readonly onChoose: () => void;
}

/** A few choices side by side, of which one holds. @param name says what is chosen */
export function switchOf(name: string, choices: readonly SwitchChoice[]): HTMLElement {
  const buttons = choices.map(({ label, pressed, onChoose }) =>
    button({ "aria-pressed": String(pressed) }, onChoose, label),
  );
  return element("div", { class: "switch", role: "group", "aria-label": name }, ...buttons);
}

/** A button that shows an icon. @param pressed undefined for one that switches nothing */
export function tool(
  label: string,
  path: string,
  pressed: boolean | undefined,
  onClick: () => void,
): HTMLButtonElement {
  const state = pressed === undefined ? {} : { "aria-pressed": String(pressed) };
  return button({ class: "tool", title: label, "aria-label": label, ...state }, onClick, icon(path));
}
