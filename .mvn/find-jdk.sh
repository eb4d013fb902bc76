# Sourced by mvnw and ratchet: makes JAVA_HOME a JDK of at least 21, or says clearly what is missing.
# An explicit JAVA_HOME that is new enough is never overridden.
ratchet_jdk_release() { # prints the feature release of the JDK in $1, or 0
  if [ -x "$1/bin/javac" ] && [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
  else
    echo 0
  fi
}

ratchet_find_jdk() {
  minimum=21
  found=""
  if command -v javac >/dev/null 2>&1; then
    onpath=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
  else
    onpath=""
  fi
  case $- in *f*) noglob=yes ;; *) noglob=no ;; esac
  set +f
  for home in "${JAVA_HOME-}" "$onpath" /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* \
    /opt/jdk* /opt/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -n "$home" ] || continue
    release=$(ratchet_jdk_release "$home")
    if [ "${release:-0}" -ge "$minimum" ]; then
      found=$home
      break
    fi
  done
  [ $noglob = no ] || set -f
  if [ -z "$found" ]; then
    echo "Ratchet needs a JDK of at least $minimum; JAVA_HOME is '${JAVA_HOME-}' and none was found in /usr/lib/jvm." >&2
    echo "Install one (for example Temurin $minimum) and set JAVA_HOME to its directory." >&2
    return 1
  fi
  JAVA_HOME=$found
  export JAVA_HOME
}
ratchet_find_jdk
