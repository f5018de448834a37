#!/usr/bin/env bash
# Makes sure that an ssh server and client are installed, for the tests of an engine that is reached over ssh. The tests
# start a server of their own on the loopback address; nothing is started here.
set -euo pipefail
# shellcheck source=scripts/lib/apt.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/apt.sh"

if [ -x /usr/sbin/sshd ] && command -v ssh >/dev/null; then
  echo "ssh server: installed already"
else
  # The package wants to start its own server; a policy file that says no keeps this machine as it was.
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
    # shellcheck disable=SC2064  # the path is meant as it is now
    trap "rm -f '$policy'" EXIT
  fi
  need_packages openssh-server openssh-client
  echo "ssh server: installed"
fi
