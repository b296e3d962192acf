#!/bin/bash
# From nothing to tested: makes a bare Debian 12 (no Python, no compiler, no sudo), clones this repository into it, and runs
# ./hindcast test there. Needs root, debootstrap and Debian's archive, and some minutes.
#   tests/bare_debian.sh [COMMAND ...]     default: ./hindcast test
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
[ "$(id -u)" = 0 ] || { echo "bare_debian: needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "bare_debian: needs the Debian package debootstrap" >&2; exit 1; }
[ $# -gt 0 ] || set -- ./hindcast test

# Mounts are private to this script, and gone with it.
[ -n "${BARE_DEBIAN_UNSHARED-}" ] || BARE_DEBIAN_UNSHARED=1 exec unshare --mount --propagation private "$0" "$@"

debian=$(mktemp -d "${TMPDIR:-/var/tmp}/bare-debian.XXXXXX")
clean_up() {
  local folder
  for folder in dev proc; do
    if mountpoint -q "$debian/$folder"; then umount -R -l "$debian/$folder"; fi
  done
  rm -rf --one-file-system "$debian"
}
trap clean_up EXIT

echo "bare_debian: debootstrap, smallest variant" >&2
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
  sed -n 's/ bookworm$//p;T;q')
debootstrap --variant=minbase bookworm "$debian" ${mirror:+"$mirror"} >"$debian.log" 2>&1 ||
  { tail -20 "$debian.log" >&2; exit 1; }
rm -f "$debian.log"

# This machine's ways to reach Debian's archive and Python's packages are those of the bare one.
cp -r /etc/apt/. "$debian/etc/apt/"
cp -L /etc/resolv.conf /etc/hosts "$debian/etc/" 2>/dev/null || true
for file in /etc/pip.conf /etc/ssl/certs/ca-certificates.crt /usr/local/share/ca-certificates/*.crt; do
  if [ -e "$file" ]; then install -D -m 644 "$file" "$debian$file"; fi
done
mount -t proc proc "$debian/proc"
mount --rbind /dev "$debian/dev"

git clone -q "$root" "$debian/hindcast"
for absent in python3 cmake g++ sudo git; do
  ! chroot "$debian" sh -c "command -v $absent" >/dev/null || { echo "bare_debian: $absent is there" >&2; exit 1; }
done
chroot "$debian" env -u PYTHONPATH HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  sh -c 'cd /hindcast && exec "$@"' sh "$@"
echo "bare_debian: $* succeeded in a bare Debian $(cat "$debian/etc/debian_version")" >&2
