#!/bin/sh
# Builds the stand-in runtime library, and the program that shows a fake host at the real path. If this is not possible, the
# script reports it and the build continues. Fake hosts then have no library, and programs cannot run at the real path.
#   build.sh SOURCES TARGET
set -eu
sources=$1
target=$2
compiler=${CC:-gcc}

if [ "$(uname -s)" != Linux ]; then
    echo "The stand-in libnrt and the launcher at the real path are not built: they require Linux, but this is $(uname -s)."
    exit 0
fi
if ! command -v "$compiler" > /dev/null 2>&1; then
    echo "The stand-in libnrt and the launcher at the real path are not built: $compiler is not installed. Fake hosts have no runtime library, and programs cannot run at the real path; tests that need either are skipped."
    exit 0
fi

compile() {
    result=$1
    from=$2
    shift 2
    mkdir -p "$(dirname "$result")"
    if [ -f "$result" ] && [ -z "$(find "$sources" -newer "$result" -type f)" ]; then
        return
    fi
    # Written under another name, because a program may read the file while it is incomplete.
    "$compiler" -std=gnu11 -O2 -g0 -Wall -Wextra -Werror -fvisibility=hidden "$@" -o "$result.part" "$from"/*.c -ldl
    mv "$result.part" "$result"
}
library() {
    result=$1
    shift
    # A signal or the end of the program may call the library after dlclose, so it stays loaded.
    # Without sibling calls, the stack of a program that breaks a contract has the function that it called.
    compile "$result" "$sources" "$@" -fPIC -shared -pthread -fno-optimize-sibling-calls \
        -Wl,-soname,libnrt.so.1 -Wl,--version-script="$sources/libnrt.map" -Wl,--no-undefined -Wl,-Bsymbolic -Wl,-z,nodelete
}

machine=$(uname -m)
# One for each set of exported calls, named after the first release that has it.
for release in 28 29 34; do
    library "$target/runtime/libnrt-$machine-since-2.$release.so.1" "-DRELEASE=$release"
done
compile "$target/command/at-real-path-$machine" "$sources/realpath"
