#!/usr/bin/env bash
# Proves docs/irdma-map.md: every test that it names is green, and red as soon as the method beside it is disabled.
# Not part of the build: it takes a few minutes.
#
#   etc/prove-map.sh                          all functions; the last line is 92/92
#   etc/prove-map.sh irdma_accept irdma_reject
#   WHY=true etc/prove-map.sh                 and what each test complained of
#
# Exit code 0: all that were asked for are proven.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec mvn -q -B -Pprove-map -Dcheckstyle.skip=true -Diwcm.format.skip=true \
    -Diwcm.map.functions="$*" -Diwcm.map.why="${WHY:-false}" process-test-classes
