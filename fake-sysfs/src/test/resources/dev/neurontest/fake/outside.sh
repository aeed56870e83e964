# A program without Java: reads a counter of a fake host, clears it, and waits until it is clear.
# usage: sh outside.sh ENV_SH COUNTER_DIRECTORY
set -eu
. "$1"
cd "$NEURON_FAKE_ROOT/sys/class/neuron_device/$2"
printf 'before %s %s\n' "$(cat total)" "$(cat present)"
echo 1 > total
tries=0
while [ "$(cat total)" != 0 ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 6000 ] || { echo "never cleared"; exit 1; }
    sleep 0.01
done
printf 'after %s %s\n' "$(cat total)" "$(cat present)"
printf 'tools %s\n' "${PATH%%:*}"
