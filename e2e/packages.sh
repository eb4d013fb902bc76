# Sourced by the scripts that need Debian packages; they define `say`.

install_packages() { # names
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  [ "$(id -u)" = 0 ] || { say "needs root to install ${missing[*]}"; exit 1; }
  say "installing ${missing[*]}"
  apt-get update -qq >&2
  # Servers must not start by themselves: the node starts its own, with its own settings.
  printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
    { rm -f /usr/sbin/policy-rc.d; say "apt-get could not install ${missing[*]}"; exit 1; }
  rm -f /usr/sbin/policy-rc.d
}
