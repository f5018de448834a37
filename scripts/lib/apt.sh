# shellcheck shell=bash
# Installing Debian packages, for the scripts beside this folder. To be sourced.

# Prints to stderr why the script ends, and ends it.
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Whether need_packages can install something here.
can_install() {
  command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]
}

# Installs the named packages where that is possible without asking; ends the script with their names elsewhere.
# Three tries, because mirrors have bad minutes.
need_packages() {
  if ! can_install; then
    fail "these Debian packages, or what your system calls them, must be installed first: $*"
  fi
  local try log
  log=$(mktemp)
  for try in 1 2 3; do
    if DEBIAN_FRONTEND=noninteractive apt-get update -qq >"$log" 2>&1 &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >>"$log" 2>&1; then
      rm -f "$log"
      hash -r
      return 0
    fi
    sleep $((try * 2))
  done
  tail -n 20 "$log" >&2
  fail "apt-get could not install: $*"
}
