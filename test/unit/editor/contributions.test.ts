import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LANGUAGES as MEASURED } from "../../../src/core/analysis/languages/languages.js";
import {
  COLORS,
  COMMANDS,
  CONTEXT_KEYS,
  doneKey,
  INTERNAL_COMMANDS,
  LANGUAGES,
  NODE_TRAITS,
  PLAY_CONTAINER,
  PLAY_VIEW,
  PLOT_PANEL,
  SETTINGS,
  STEP_COMMANDS,
  VIEW_CONTAINER,
  VIEWS,
} from "../../../src/editor/ids.js";
import { BAR_COLORS } from "../../../src/editor/marks/clone-bar.js";
import type { EngineTrouble } from "../../../src/editor/run/engine-trouble.js";

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly viewsContainers: {
      readonly activitybar: readonly { readonly id: string; readonly icon: string }[];
      readonly panel: readonly { readonly id: string; readonly icon: string }[];
    };
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly when?: string }[];
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly submenus: readonly { readonly id: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope: string }>> };
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly media: { readonly svg: string; readonly altText: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly colors: readonly { readonly id: string; readonly defaults: Readonly<Record<string, string>> }[];
  };
}

const text = readFileSync("package.json", "utf8");
const manifest = JSON.parse(text) as Manifest;
const words = JSON.parse(readFileSync("package.nls.json", "utf8")) as Record<string, string>;
const { contributes } = manifest;
const sorted = (values: Iterable<string>): string[] => [...values].sort();

function sources(): string {
  const files = readdirSync("src/editor", { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && path.basename(file) !== "ids.ts")
    .map((file) => readFileSync(path.join("src/editor", file), "utf8"))
    .join("\n");
}

describe("package.json and the code", () => {
  it("know the same commands", () => {
    expect(sorted(contributes.commands.map(({ command }) => command))).toEqual(
      sorted(Object.values(COMMANDS)),
    );
  });

  it("know the same languages, which are those that are measured", () => {
    expect(sorted(LANGUAGES)).toEqual(sorted(MEASURED.flatMap(({ editorIds }) => editorIds)));
    const events = manifest.activationEvents.filter((event) => event.startsWith("onLanguage:"));
    expect(sorted(events)).toEqual(sorted(LANGUAGES.map((id) => `onLanguage:${id}`)));
    const clauses = contributes.menus["commandPalette"]?.flatMap(({ when }) =>
      when?.startsWith("editorLangId") === true ? [when] : [],
    );
    expect(clauses).toHaveLength(5);
    for (const clause of clauses ?? []) expect(clause).toBe(`editorLangId =~ /^(${LANGUAGES.join("|")})$/`);
  });

  it("register every command and call no other", () => {
    const code = sources();
    for (const name of Object.keys(COMMANDS)) expect(code).toContain(`[COMMANDS.${name}]:`);
    for (const name of Object.keys(INTERNAL_COMMANDS)) expect(code).toContain(`[INTERNAL_COMMANDS.${name}]:`);
  });

  it("put only known commands into menus and welcome texts", () => {
    const known = new Set<string>(Object.values(COMMANDS));
    const used = Object.values(contributes.menus).flat();
    expect(used.flatMap(({ command = [] }) => command).filter((id) => !known.has(id))).toEqual([]);
    const submenus = contributes.submenus.map(({ id }) => id);
    expect(sorted(used.flatMap(({ submenu = [] }) => submenu))).toEqual(sorted(submenus));
    for (const id of submenus) expect(contributes.menus[id]?.length).toBeGreaterThan(0);
    const linked = Object.values(words).flatMap((value) => [...value.matchAll(/command:(slopLens[\w.]*)/g)]);
    expect(linked.map((match) => match[1] ?? "").filter((id) => !known.has(id))).toEqual([]);
  });

  it("keep commands that need a row out of the palette", () => {
    const hidden = contributes.menus["commandPalette"]?.filter(({ when }) => when === "false") ?? [];
    const onRows = contributes.menus["view/item/context"]?.flatMap(({ command = [] }) => command) ?? [];
    const ofQueue = [
      ...[COMMANDS.pauseQueue, COMMANDS.resumeQueue, COMMANDS.cancelQueue],
      ...[COMMANDS.resumeKeptQueue, COMMANDS.discardKeptQueue],
    ];
    const offered: readonly string[] = [
      COMMANDS.resumeRun,
      COMMANDS.runTrajectory,
      COMMANDS.showErosionPlot,
      COMMANDS.playTrajectory,
      COMMANDS.copyHotspots,
      COMMANDS.showLog,
      ...ofQueue,
    ];
    expect(sorted(new Set(hidden.flatMap(({ command = [] }) => command)))).toEqual(
      sorted(new Set(onRows.filter((id) => !offered.includes(id)))),
    );
  });

  it("know the same views and container", () => {
    expect(contributes.viewsContainers.activitybar.map(({ id }) => id)).toEqual([VIEW_CONTAINER]);
    expect(contributes.views[VIEW_CONTAINER]?.map(({ id }) => id)).toEqual(Object.values(VIEWS));
    expect(contributes.viewsContainers.panel.map(({ id }) => id)).toEqual([PLAY_CONTAINER]);
    expect(contributes.views[PLAY_CONTAINER]?.map(({ id }) => id)).toEqual([PLAY_VIEW]);
    const welcomed = new Set(contributes.viewsWelcome.map(({ view }) => view));
    expect(sorted(welcomed)).toEqual(sorted(Object.values(VIEWS)));
  });

  it("know the same settings", () => {
    expect(sorted(Object.keys(contributes.configuration.properties))).toEqual(
      sorted(Object.values(SETTINGS)),
    );
    expect(Object.keys(contributes.configuration.properties).length).toBeLessThan(20);
  });

  it("restrict every setting that names something to run or to load", () => {
    const harmless = [
      SETTINGS.agentTimeoutSeconds,
      SETTINGS.openSpecAs,
      SETTINGS.profile,
      SETTINGS.hideTests,
      SETTINGS.rulesShipped,
      SETTINGS.rulesOff,
      SETTINGS.testingView,
    ] as readonly string[];
    const running = Object.values(SETTINGS).filter(
      (id) => !harmless.includes(id) && !id.startsWith("slopLens.marks."),
    );
    expect(sorted(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations)).toEqual(
      sorted(running),
    );
  });

  it("know the same colours, in all four kinds of theme", () => {
    expect(sorted(contributes.colors.map(({ id }) => id))).toEqual(sorted(Object.values(COLORS)));
    for (const { defaults } of contributes.colors) {
      expect(Object.keys(defaults)).toEqual(["dark", "light", "highContrast", "highContrastLight"]);
      for (const value of Object.values(defaults)) expect(value).toMatch(/^#([0-9A-F]{6}|[0-9A-F]{8})$/);
    }
  });

  it("draw the clone bar in the default of its colour", () => {
    const gutter = contributes.colors.find(({ id }) => id === COLORS.cloneGutter);
    expect(gutter?.defaults).toEqual(BAR_COLORS);
  });

  it("ask only for context keys and row traits that the code sets", () => {
    const clauses = [...contributes.viewsWelcome, ...Object.values(contributes.menus).flat()]
      .map(({ when }) => when ?? "")
      .join("\n");
    const keys = [...clauses.matchAll(/(?<!== |config\.)\b(slopLens\.\w+)/g)].map((match) => match[1] ?? "");
    const known: readonly string[] = [...Object.values(CONTEXT_KEYS), ...Object.values(VIEWS), PLAY_VIEW];
    expect(keys.filter((key) => !known.includes(key))).toEqual([]);
    const traits = [...clauses.matchAll(/viewItem =~ \/\\b(\w+)\\b\//g)].map((match) => match[1] ?? "");
    const traitNames: readonly string[] = Object.values(NODE_TRAITS);
    expect(traits.length).toBeGreaterThan(0);
    expect(traits.filter((trait) => !traitNames.includes(trait))).toEqual([]);
  });

  it("walk through steps that each have one command, are done by it, and have a picture in the theme's colours", () => {
    const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    expect(steps).toHaveLength(5);
    for (const { description, media, completionEvents } of steps) {
      const links = [...(words[description.slice(1, -1)] ?? "").matchAll(/\]\(command:([\w.]+)\)/g)];
      const [id = ""] = links.flatMap((link) => link[1] ?? []);
      expect(completionEvents).toEqual([`onCommand:${id}`, `onContext:${doneKey(id)}`]);
      expect(links).toHaveLength(1);
      expect(STEP_COMMANDS).toContain(id);
      const colours = readFileSync(media.svg, "utf8").match(/(?:fill|stroke)="[^"]*"/g) ?? [];
      expect(colours.filter((value) => !/="(var\(--vscode-|none"|transparent)/.test(value))).toEqual([]);
      expect(words[media.altText.slice(1, -1)]).toMatch(/\.$/);
    }
  });

  it("offer at most one button in a welcome view, and say why Docker cannot be used by cause", () => {
    for (const [key, value] of Object.entries(words).filter(([name]) => name.startsWith("welcome."))) {
      expect(value.split("\n").filter((line) => /^\[[^\]]*\]\([^)]*\)$/.test(line)).length, key).toBeLessThan(
        2,
      );
    }
    const clauses = contributes.viewsWelcome.map(({ when }) => when ?? "").join("\n");
    for (const trouble of ["not-found", "not-running", "denied"] satisfies EngineTrouble[]) {
      expect(clauses).toContain(`slopLens.engineTrouble == '${trouble}'`);
    }
  });

  it("reach every inline action of a row from its menu too, for the keyboard", () => {
    const actions = contributes.menus["view/item/context"] ?? [];
    const of = (inline: boolean): Set<string | undefined> =>
      new Set(
        actions
          .filter(({ group = "" }) => group.startsWith("inline") === inline)
          .map(({ command }) => command),
      );
    expect([...of(true)].filter((command) => !of(false).has(command))).toEqual([]);
  });

  it("restore the plot and bring icons that are there", () => {
    expect(manifest.activationEvents).toContain(`onWebviewPanel:${PLOT_PANEL}`);
    for (const file of text.matchAll(/"(media\/[^"]+)"/g)) expect(existsSync(file[1] ?? "")).toBe(true);
  });
});

describe("package.nls.json", () => {
  const used = new Set([...text.matchAll(/"%([\w.-]+)%"/g)].map((match) => match[1] ?? ""));

  it("has every text that package.json names, and no other", () => {
    expect(sorted(used)).toEqual(sorted(Object.keys(words)));
  });

  it("has no empty text and no exclamation mark", () => {
    for (const value of Object.values(words)) {
      expect(value.trim()).not.toBe("");
      expect(value).not.toContain("!");
    }
  });
});
