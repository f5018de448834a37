#!/usr/bin/env bash
# Makes sure that a Docker engine answers, for the tests that need a real one.
#
#   docker-engine.sh start [FOLDER]  keeps the engine that answers; else installs (Debian, Ubuntu) and starts one
#   docker-engine.sh stop [FOLDER]   ends the engine that this script has started, and no other
#
# With FOLDER it is an engine apart from the machine's own, to be disturbed at will: all that it has lies in FOLDER, it
# listens at FOLDER/docker.sock, and its containers have no way out.
#
# Works without systemd, as in a container or a bare virtual machine. Both verbs may be called at any time, also twice.
set -euo pipefail
# shellcheck source=scripts/lib/apt.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/apt.sh"

readonly folder=${2:+$(realpath -m "$2")} # of an engine apart; empty for the machine's own
readonly run=${folder:-/var/run}
readonly socket=$run/docker.sock
readonly engine_pid_file=$run/docker.pid
readonly exec_root=$run/docker
readonly state=$run/slop-lens-engine # our log, lock, and the pid of an engine that is ours
readonly start_seconds=60
if [ -n "$folder" ]; then unset DOCKER_HOST; fi

# Whether an engine answers where the tests will look for it.
engine_answers() {
  local host=${DOCKER_HOST:-unix://$socket}
  case "$host" in
    unix://*) [ "$(curl -fsS -m 5 --unix-socket "${host#unix://}" http://engine/_ping 2>/dev/null)" = OK ] ;;
    *) docker version >/dev/null 2>&1 ;;
  esac
}

# is_process PID NAME: whether PID is alive and runs the program NAME.
is_process() {
  [ -n "$1" ] && [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ]
}

# end_process PID NAME: asks, waits up to 20 seconds, insists.
end_process() {
  is_process "$1" "$2" || return 0
  kill "$1"
  local tick
  for tick in $(seq 100); do
    is_process "$1" "$2" || return 0
    sleep 0.2
  done
  : "$tick"
  kill -9 "$1" 2>/dev/null || true
}

# The Debian package wants to start its own daemon; a policy file that says no keeps the starting in one place.
install_engine() {
  local policy=/usr/sbin/policy-rc.d ours=no
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
    ours=yes
    # shellcheck disable=SC2064  # the path is meant as it is now
    trap "rm -f '$policy'" EXIT
  fi
  need_packages docker.io iptables ca-certificates
  if [ "$ours" = yes ]; then rm -f "$policy"; fi
}

# Limits on memory and processes need the control groups mounted; a bare machine may have none.
mount_control_groups() {
  if grep -qE ' cgroup2? ' /proc/mounts; then return 0; fi
  need_packages cgroupfs-mount
  cgroupfs-mount
}

# A daemon that was killed leaves a pid file, and a containerd that holds the socket its successor waits for.
clear_remains() {
  local containerd
  containerd=$(cat "$exec_root/containerd/containerd.pid" 2>/dev/null || true)
  end_process "$containerd" containerd
  rm -f "$engine_pid_file" "$exec_root/containerd/containerd.pid" "$exec_root"/containerd/*.sock*
}

# Prints the --mtu option where the way out carries less than Ethernet's 1500 bytes; without it large packets vanish.
mtu_option() {
  local device mtu
  device=$(awk '$2 == "00000000" { print $1; exit }' /proc/net/route)
  mtu=$(cat "/sys/class/net/$device/mtu" 2>/dev/null || echo 1500)
  if [ "$mtu" -lt 1500 ]; then printf -- '--mtu=%s' "$mtu"; fi
}

# wait_for PID: waits until the engine answers, its process has ended, or the time is up.
wait_for() {
  local tick
  for tick in $(seq $((start_seconds * 5))); do
    if engine_answers; then return 0; fi
    is_process "$1" dockerd || return 1
    sleep 0.2
  done
  : "$tick"
  return 1
}

# The bridge of an engine apart: a name and a network (of RFC 2544, for tests) that follow from its folder.
readonly bridge=slop$(printf %s "$folder" | cksum | cut -d ' ' -f 1 | xargs printf %08x)
bridge_network() {
  printf '198.%d.%d.1/24' "$((16#${bridge:4:2} % 2 + 18))" "$((16#${bridge:6:2}))"
}

# Sets `options` to those of an engine apart. Without a bridge of its own it would remove that of the machine's engine,
# and two engines would overwrite each other's rules for the way out.
set_options_apart() {
  if ! ip link show "$bridge" >/dev/null 2>&1; then
    ip link add "$bridge" type bridge
    ip address add "$(bridge_network)" dev "$bridge"
    ip link set "$bridge" up
  fi
  options+=(--data-root "$folder/data" --bridge "$bridge" --iptables=false --ip-masq=false --userland-proxy=false)
}

# What an engine apart leaves when it has ended: its bridge, and after a kill its mounts.
clear_apart() {
  clear_remains
  ip link delete "$bridge" 2>/dev/null || true
  local mount
  while read -r mount; do
    umount --lazy "$mount" 2>/dev/null || true
  done < <(awk -v below="$folder/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r)
}

launch() {
  local options=(--host "unix://$socket" --pidfile "$engine_pid_file" --exec-root "$exec_root") mtu
  if [ -n "$folder" ]; then set_options_apart; fi
  mtu=$(mtu_option)
  if [ -n "$mtu" ]; then options+=("$mtu"); fi
  setsid dockerd "${options[@]}" </dev/null >"$state/engine.log" 2>&1 9>&- &
  local pid=$!
  # The name of the process becomes dockerd only once setsid has replaced itself.
  until is_process "$pid" dockerd || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  if wait_for "$pid"; then
    echo "$pid" >"$state/engine.pid"
    echo "docker engine: started (pid $pid, log $state/engine.log)"
    return 0
  fi
  end_process "$pid" dockerd
  return 1
}

start() {
  command -v curl >/dev/null || need_packages curl
  if engine_answers; then
    echo "docker engine: one answers already"
    return 0
  fi
  if [ "$(uname -s)" != Linux ] || [ "$(id -u)" -ne 0 ]; then
    fail "no Docker engine answers. Start yours (Docker Desktop, or: sudo systemctl start docker) and try again"
  fi
  if [ -n "${DOCKER_HOST:-}" ]; then fail "the engine at DOCKER_HOST=$DOCKER_HOST does not answer"; fi

  mkdir -p "$state"
  exec 9>"$state/lock"
  flock 9 # of two starts at once the second waits, and then finds the engine of the first
  if engine_answers; then
    echo "docker engine: one answers already"
    return 0
  fi
  command -v dockerd >/dev/null || install_engine
  mount_control_groups

  local running
  running=$(cat "$engine_pid_file" 2>/dev/null || true)
  if is_process "$running" dockerd; then
    if wait_for "$running"; then
      echo "docker engine: one was starting already"
      return 0
    fi
    # One that was just killed may have been on its way out.
    if is_process "$running" dockerd; then
      fail "dockerd runs as process $running but does not answer on $socket"
    fi
  fi
  clear_remains
  launch || launch || {
    tail -n 20 "$state/engine.log" >&2
    fail "dockerd did not start"
  }
}

stop() {
  local pid
  pid=$(cat "$state/engine.pid" 2>/dev/null || true)
  if is_process "$pid" dockerd; then
    end_process "$pid" dockerd
    echo "docker engine: stopped (pid $pid)"
  else
    echo "docker engine: none of ours runs"
  fi
  rm -f "$state/engine.pid"
  if [ -n "$folder" ]; then clear_apart; fi
}

case "${1:-}" in
  start | stop) "$1" ;;
  *) fail "usage: docker-engine.sh start|stop [FOLDER]" ;;
esac
