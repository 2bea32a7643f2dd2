#!/bin/sh
# Install the Debian packages named, as far as they are missing; elsewhere say
# what is needed.
if ! command -v dpkg-query >/dev/null; then
	echo "flametop needs these (Debian names): $*" >&2
	exit 0
fi
missing=
for package in "$@"; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
		grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
# A machine that has just booted may be installing its updates: wait for it.
for try in 1 2 3; do
	# shellcheck disable=SC2086
	$sudo apt-get -o DPkg::Lock::Timeout=120 install -y \
		--no-install-recommends $missing >"$log" 2>&1 && { rm -f "$log"; exit 0; }
	$sudo apt-get update >>"$log" 2>&1
done
cat "$log" >&2
rm -f "$log"
echo "could not install:$missing" >&2
exit 1
