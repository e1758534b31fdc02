#!/bin/sh
# Installs packages of Debian that are missing here, where that is possible: by root, with apt-get.
# Where it is not, it says so and is content: whoever needs one of them skips or stops.
#
#   tools/system-packages.sh postgresql chromium-headless-shell
there() {
    case "$1" in
        postgresql) [ -n "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || command -v initdb ;;
        nodejs) command -v node ;;
        *) command -v "$1" ;;
    esac >/dev/null 2>&1
}
missing=""
for package in "$@"; do
    there "$package" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "not installed here:$missing"
    exit 0
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
wait="-o DPkg::Lock::Timeout=600"
apt-get $wait update -qq >/dev/null 2>&1
for package in $missing; do # one that this system does not know keeps no other from being installed
    apt-get $wait install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 || echo "could not install: $package"
done
