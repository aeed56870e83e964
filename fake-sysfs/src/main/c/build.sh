#!/bin/sh
# Builds the stand-in runtime library. Where that is not possible it says so and the build goes on: a fake host has no library then.
#   build.sh SOURCES TARGET
set -eu
sources=$1
target=$2
compiler=${CC:-gcc}

if [ "$(uname -s)" != Linux ]; then
    echo "The stand-in libnrt is not built: it needs Linux, this is $(uname -s)."
    exit 0
fi
if ! command -v "$compiler" > /dev/null 2>&1; then
    echo "The stand-in libnrt is not built: there is no $compiler. Fake hosts have no runtime library; what needs it is skipped."
    exit 0
fi

mkdir -p "$target"
build() {
    library=$1
    shift
    if [ -f "$library" ] && [ -z "$(find "$sources" -newer "$library" -type f)" ]; then
        return
    fi
    # Its own name, so that nobody loads half of it.
    "$compiler" -std=gnu11 -O2 -g0 -Wall -Wextra -Werror -fvisibility=hidden -fPIC -shared -pthread "$@" \
        -Wl,-soname,libnrt.so.1 -Wl,--version-script="$sources/libnrt.map" -Wl,--no-undefined -Wl,-Bsymbolic \
        -o "$library.part" "$sources"/*.c -ldl
    mv "$library.part" "$library"
}

machine=$(uname -m)
build "$target/libnrt-$machine.so.1"
build "$target/libnrt-$machine-without-debug-stream.so.1" -DWITHOUT_DEBUG_STREAM
