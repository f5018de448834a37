/** Builds elements without a framework. Text is always set as text, never parsed. */

type Child = Node | string;
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** An element with attributes and children; `true` sets an empty attribute, `false` and undefined leave it out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    created.setAttribute(name, value === true ? "" : value);
  }
  created.append(...children);
  return created;
}

/** A button with an accessible name. */
export function button(
  attributes: Attributes,
  onClick: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const created = element("button", { type: "button", ...attributes }, ...children);
  created.addEventListener("click", onClick);
  return created;
}

/** Builds parts of `root` anew; where they hold the focus, the control of the same name has it afterwards. */
export function keepingFocus(root: HTMLElement, build: () => void): void {
  const focused = document.activeElement;
  const wasInside = root.contains(focused);
  const name = nameOf(focused);
  build();
  if (!wasInside || focused?.isConnected === true) return;
  const controls = [...root.querySelectorAll<HTMLElement>("button, select, input, summary")];
  controls.find((control) => nameOf(control) === name)?.focus();
}

function nameOf(control: Element | null): string {
  const words = control?.getAttribute("aria-label") ?? (control?.closest("label") ?? control)?.textContent;
  return `${control?.tagName ?? ""} ${words ?? ""}`;
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and text. */
export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
  text = "",
): SVGElementTagNameMap[Tag] {
  const created = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value));
  created.append(text);
  return created;
}

/** A 16-pixel line icon from path data, in the colour of the text around it. */
export function icon(path: string): SVGSVGElement {
  const svg = svgElement("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" });
  svg.append(svgElement("path", { d: path }));
  return svg;
}
