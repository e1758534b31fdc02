#!/bin/sh
# What the tests need from Debian, where it is missing and can be installed: a database server and a
# browser. Where it cannot, the tests that need it say so and are skipped.
missing=""
[ -n "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || missing="$missing postgresql"
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "not installed, and their tests will be skipped:$missing"
    exit 0
fi
echo "installing:$missing"
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } \
    >/dev/null 2>&1 || echo "could not install all of:$missing"
