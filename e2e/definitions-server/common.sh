# Sourced by the scripts of the server that is alone: where things are. It listens on loopback only.
here=$(cd "$(dirname "$0")" && pwd)
state=${RATCHET_DEFINITIONS_STATE:-/var/tmp/ratchet-definitions}
address=127.0.0.1
definitions_port=${RATCHET_DEFINITIONS_PORT:-17443}
etcd_port=$((definitions_port + 1))
kubeconfig=$state/kubeconfig
enter=(env)
. "$here/../common.sh"
