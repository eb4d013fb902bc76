# Sourced by the launchers, beside which it lies in bin; they set `library`, `main` and `options`, and their arguments
# become those of the program. The class path is lib/$library beside bin, or lib itself. Java is found in
# RATCHET_JAVA_HOME, then in a runtime beside bin, then in JAVA_HOME, then on the path. RATCHET_JAVA_OPTIONS are options
# of the JVM, in words.
home=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
java=$(command -v java || echo java)
for candidate in "${RATCHET_JAVA_HOME-}" "$home/runtime" "${JAVA_HOME-}"; do
  if [ -n "$candidate" ] && [ -x "$candidate/bin/java" ]; then
    java=$candidate/bin/java
    break
  fi
done
about=$(dirname -- "$(dirname -- "$(readlink -f -- "$java")")")/release
release=$([ -r "$about" ] && . "$about" && echo "${JAVA_VERSION%%.*}" || echo 0)
if [ "$release" -gt 0 ] && [ "$release" -lt 21 ]; then
  echo "Ratchet needs Java 21 or newer, and $java is Java $release. Set RATCHET_JAVA_HOME to a newer one." >&2
  exit 2
fi
# JDK 24 and later warn of how protobuf reaches memory; the option that allows it exists since 23.
if [ "$release" -ge 23 ]; then
  options="--sun-misc-unsafe-memory-access=allow $options"
fi
lib=$home/lib
if [ -d "$home/lib/$library" ]; then
  lib=$home/lib/$library
fi
# shellcheck disable=SC2086 # options are words
exec "$java" --enable-native-access=ALL-UNNAMED -XX:+ExitOnOutOfMemoryError -Djava.io.tmpdir="${RATCHET_TEMP_DIR:-/tmp}" \
  $options ${RATCHET_JAVA_OPTIONS-} -cp "$lib/*" "$main" "$@"
