# Sourced by the node's scripts: where things are, and how processes are started and stopped.
cache=${RATCHET_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ratchet}/node
state=${RATCHET_NODE_STATE:-/var/tmp/ratchet-node}
namespace=ratchet-node
node_ip=10.77.0.1
service_range=10.96.0.0/16
pod_range=10.244.0.0/24
kubeconfig=$state/kubeconfig

say() { echo "node: $*" >&2; }
fail() { say "$*"; exit 1; }

# Not `ip netns exec`: it remounts /sys and hides the cgroup hierarchies from the kubelet.
inside() { nsenter --net=/run/netns/$namespace "$@"; }

start() { # name command…: runs in the node's network namespace, log and pid under the state directory
  local name=$1
  shift
  setsid nsenter --net=/run/netns/$namespace "$@" > "$state/$name.log" 2>&1 < /dev/null &
  echo "$! $(cut -d' ' -f22 "/proc/$!/stat")" > "$state/pids/$name"
}

stop() { # name signal seconds: by the recorded pid, if it is still the process that was started
  local name=$1 signal=$2 seconds=$3 pid started waited=0
  [ -e "$state/pids/$name" ] || return 0
  read -r pid started < "$state/pids/$name"
  if [ "$(cut -d' ' -f22 "/proc/$pid/stat" 2>/dev/null)" = "$started" ]; then
    kill "-$signal" "$pid" 2>/dev/null || true
    while [ -d "/proc/$pid" ] && [ "$waited" -lt $((seconds * 10)) ]; do sleep 0.1; waited=$((waited + 1)); done
    kill -KILL "$pid" 2>/dev/null || true
  fi
  rm -f "$state/pids/$name"
}

await() { # seconds what command…
  local seconds=$1 what=$2 waited=0
  shift 2
  until "$@" > /dev/null 2>&1; do
    waited=$((waited + 1))
    [ $waited -lt $((seconds * 5)) ] || { tail -n 20 "$state"/*.log >&2; fail "$what: not there after $seconds s; logs are in $state"; }
    sleep 0.2
  done
}
