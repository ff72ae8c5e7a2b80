#!/usr/bin/env bash
# Runs palantir-java-format over all Java files, on the JDK that compiles them: the formatter parses with that JDK's
# own compiler, so inside a Maven that runs on an older one it could not read today's Java.
#
#   format.sh check|write CLASS_PATH      (called by the build, in the repository's root)
#
# Offenders are named on standard error, and target/format-failed is left for the build to fail on.
set -euo pipefail
mode=$1 classpath=$2 java=${IWCM_FORMAT_JAVA_HOME:-$IWCM_MAVEN_JAVA_HOME}/bin/java
stamp=target/format-passed # A check looks only at files that changed since the last good one.
failed=target/format-failed

mkdir -p target
rm -f "$failed"
if [[ $mode == check && $stamp -nt pom.xml && $stamp -nt etc/format.sh ]]; then
    find ./*/src -name '*.java' -newer "$stamp" >"$stamp.list"
else
    find ./*/src -name '*.java' >"$stamp.list"
fi
touch "$stamp.next"

case $mode in
check) arguments=(--dry-run --set-exit-if-changed "@$stamp.list") ;;
write) arguments=(--replace "@$stamp.list") ;;
esac
exports=()
for package in api code file main parser tree util; do
    exports+=("--add-exports=jdk.compiler/com.sun.tools.javac.$package=ALL-UNNAMED")
done
if [[ ! -s $stamp.list ]] ||
    "$java" "${exports[@]}" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$classpath" \
        com.palantir.javaformat.java.Main --palantir "${arguments[@]}" >"$failed" 2>&1; then
    rm -f "$failed"
    mv "$stamp.next" "$stamp"
else
    cat "$failed" >&2
fi
