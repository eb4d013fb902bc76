# Sourced by the launchers, beside which it lies in bin; they set `library`, `main` and `options`, and their arguments
# become those of the program. The class path is lib/$library beside bin, or lib itself. Java is found in
# RATCHET_JAVA_HOME, then in a runtime beside bin, then in JAVA_HOME, then on the path, then where Javas are installed.
# RATCHET_JAVA_OPTIONS are options of the JVM, in words. images/classes says what RATCHET_CLASS_LISTS is for.
home=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
java=$(command -v java || echo java)
named=
for candidate in "${RATCHET_JAVA_HOME-}" "$home/runtime" "${JAVA_HOME-}"; do
  if [ -n "$candidate" ] && [ -x "$candidate/bin/java" ]; then
    java=$candidate/bin/java
    named=$java
    break
  fi
done
# Sets version and release to those of $java; release is 0 where it does not say.
look_at_java() {
  about=$(dirname -- "$(dirname -- "$(readlink -f -- "$java")")")/release
  version=$([ -r "$about" ] && . "$about" && echo "$JAVA_VERSION" || echo 0)
  release=${version%%[!0-9]*}
}
look_at_java
# The Java of the path is often an older one beside a newer that nobody has chosen.
if [ -z "$named" ] && { [ "$release" -lt 21 ] || ! command -v "$java" > /dev/null; }; then
  found=$java
  for java in /usr/lib/jvm/*/bin/java /opt/java/*/bin/java "${HOME-}"/.sdkman/candidates/java/*/bin/java; do
    [ -x "$java" ] && look_at_java && [ "$release" -ge 21 ] && found=$java && break
  done
  java=$found
  look_at_java
fi
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
# In an order that is the same everywhere, which an archive of classes asks for.
class_path=$(LC_ALL=C IFS=: && set -- "$lib"/*.jar && echo "$*")
# Classes parsed and verified at build time, by this very Java. A JVM that can not use them says so on standard error,
# where no output of a command is, and loads them from the jars.
classes=
if [ -n "${RATCHET_CLASS_LISTS-}" ]; then
  classes=-XX:DumpLoadedClassList=$RATCHET_CLASS_LISTS/$library-$$.list
elif [ -r "$lib/classes-$version.jsa" ]; then
  classes=-XX:SharedArchiveFile=$lib/classes-$version.jsa
  options="-Xlog:disable -Xlog:all=warning:stderr $options"
fi
# Where an archive of classes is mapped as it was written, its pages are not copied to be corrected: 50 MB and more of
# each process.
# shellcheck disable=SC2086 # options are words
exec "$java" --enable-native-access=ALL-UNNAMED -XX:+ExitOnOutOfMemoryError -XX:+UnlockDiagnosticVMOptions \
  -XX:ArchiveRelocationMode=0 -Djava.io.tmpdir="${RATCHET_TEMP_DIR:-/tmp}" \
  ${classes:+"$classes"} $options ${RATCHET_JAVA_OPTIONS-} -cp "$class_path" "$main" "$@"
