# Sourced by the scripts that start servers: processes, certificates and kubeconfigs below $state, and the server of
# custom resources. The sourcing script sets `state` (a directory) and `enter` (the command prefix that processes run
# under), and `address` (where servers listen).
definitions_port=${definitions_port:-7443}

say() { echo "$(basename "$here"): $*" >&2; }
fail() { say "$*"; exit 1; }

inside() { "${enter[@]}" "$@"; }

start() { # name command…: runs in the background, log and pid under the state directory
  local name=$1
  shift
  setsid "${enter[@]}" "$@" > "$state/$name.log" 2>&1 < /dev/null &
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

certificate() { # name subject [subjectAltName]
  openssl req -newkey rsa:2048 -nodes -keyout "$state/pki/$1.key" -out "$state/pki/$1.csr" -subj "$2" 2> /dev/null
  openssl x509 -req -in "$state/pki/$1.csr" -CA "$state/pki/ca.crt" -CAkey "$state/pki/ca.key" -CAcreateserial \
    -days 30 -out "$state/pki/$1.crt" -extfile <(echo "subjectAltName=${3:-DNS:$1}") 2> /dev/null
}

make_authority() { # common name
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$state/pki/ca.key" -out "$state/pki/ca.crt" -days 30 \
    -subj "/CN=$1" 2> /dev/null
}

write_kubeconfig() { # file user port
  local data
  data() { base64 -w0 < "$state/pki/$1"; }
  (umask 077 && cat > "$1" <<-CONFIG
	apiVersion: v1
	kind: Config
	clusters: [{name: node, cluster: {server: "https://$address:$3", certificate-authority-data: $(data ca.crt)}}]
	users: [{name: $2, user: {client-certificate-data: $(data "$2.crt"), client-key-data: $(data "$2.key")}}]
	contexts: [{name: node, context: {cluster: node, user: $2}}]
	current-context: node
	CONFIG
  )
}

start_definitions_server() { # directory of the binary, etcd's address, kubeconfig, option…
  local bin=$1 etcd=$2 kubeconfig=$3
  shift 3
  certificate definitions-server /CN=definitions "DNS:definitions.kube-system.svc,IP:$address"
  start definitions-server "$bin/apiextensions-apiserver" --etcd-servers="$etcd" --etcd-prefix=/definitions \
    --bind-address="$address" --secure-port="$definitions_port" --tls-cert-file="$state/pki/definitions-server.crt" \
    --tls-private-key-file="$state/pki/definitions-server.key" --kubeconfig="$kubeconfig" \
    --authentication-kubeconfig="$kubeconfig" --authorization-kubeconfig="$kubeconfig" "$@"
  await 60 "the server of custom resources" ask_definitions_server /apis/apiextensions.k8s.io/v1/customresourcedefinitions
}

ask_definitions_server() { # path curl-option…: as the administrator; prints the answer also when it is a refusal
  local path=$1
  shift
  inside curl --silent --show-error --fail-with-body --noproxy '*' --cacert "$state/pki/ca.crt" \
    --cert "$state/pki/admin.crt" --key "$state/pki/admin.key" "$@" "https://$address:$definitions_port$path"
}
