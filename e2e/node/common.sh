# Sourced by the node's scripts: where things are.
here=$(cd "$(dirname "$0")" && pwd)
cache=${RATCHET_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ratchet}/node
state=${RATCHET_NODE_STATE:-/var/tmp/ratchet-node}
namespace=ratchet-node
address=10.77.0.1
service_range=10.96.0.0/16
pod_range=10.244.0.0/24
kubeconfig=$state/kubeconfig
# Not `ip netns exec`: it remounts /sys and hides the cgroup hierarchies from the kubelet.
enter=(nsenter --net=/run/netns/$namespace)
. "$here/../common.sh"
