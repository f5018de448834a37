#!/usr/bin/env bash
# Makes a small image with Python for the tests.
#
#   test-image.sh TAG [SUITE]
#
# It has python3 with venv and pip, pytest, PyYAML and git. It is made from the packages of the Debian release SUITE
# (default bookworm, Python 3.11), without a registry of images; only where mmdebstrap is not to be had, from the official
# Python image. It trusts the certificates that this machine trusts, so that pip works in it wherever it works outside.
# An image with this TAG that was made by the same recipe is kept.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib/apt.sh
. "$here/lib/apt.sh"

[ $# -ge 1 ] || fail "usage: test-image.sh TAG [SUITE]"
readonly tag=$1 suite=${2:-bookworm}
readonly label=io.slop-lens.test-recipe
readonly bundle=/etc/ssl/certs/ca-certificates.crt

# The archive goes straight from the one program into the other: nothing is left behind when either fails.
build_from_debian() {
  local hooks=()
  if [ -r "$bundle" ]; then hooks+=(--customize-hook="copy-in $bundle /etc/ssl/certs"); fi
  mmdebstrap --quiet --variant=minbase \
    --include=python3,python3-venv,python3-pip,python3-pytest,python3-yaml,git,ca-certificates \
    --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='force-unsafe-io' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    "${hooks[@]}" "$suite" - |
    docker import \
      --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
      --change "ENV SSL_CERT_FILE=$bundle PIP_CERT=$bundle REQUESTS_CA_BUNDLE=$bundle" \
      --change 'CMD ["python3"]' \
      --change "LABEL $label=$recipe" \
      - "$tag" >/dev/null
}

build_from_official_image() {
  docker build --quiet --force-rm --label "$label=$recipe" --tag "$tag" - >/dev/null <<'DOCKERFILE'
FROM python:3.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
RUN pip install --no-cache-dir pytest PyYAML
DOCKERFILE
}

# What the image depends on: this file, the release, the certificates.
recipe_hash() {
  {
    cat "${BASH_SOURCE[0]}"
    echo "$suite"
    cat "$bundle" 2>/dev/null || true
  } | openssl sha256 -r | cut -c 1-16
}

recipe=$(recipe_hash)
readonly recipe
if [ "$(docker image inspect --format "{{index .Config.Labels \"$label\"}}" "$tag" 2>/dev/null)" = "$recipe" ]; then
  echo "test image: $tag is up to date"
  exit 0
fi
if ! command -v mmdebstrap >/dev/null && can_install; then need_packages mmdebstrap debian-archive-keyring; fi
if command -v mmdebstrap >/dev/null; then
  echo "test image: building $tag from Debian $suite, this takes about a minute"
  build_from_debian
else
  echo "test image: building $tag from python:3.12-slim"
  build_from_official_image
fi
echo "test image: $tag is ready"
