# The commands of the Sysfs User Guide, in the order of a first trial, on the devices below a directory:
# read a counter, sum one up over all cores, clear one, reset a device.
#
#   sh user_guide.sh DEVICES BUSY_CORE QUIET_CORE QUIET_DEVICE ROUNDS
set -eu

devices=$1
busy=$1/$2
quiet=$1/$3
device=$1/$4
rounds=$5

fail() {
    echo "$1" >&2
    exit 1
}

# One complete line of digits; the x keeps the shell from dropping the newline.
line() {
    content=$(cat "$1" && echo x)
    value=${content%?x}
    [ "$content" = "$value
x" ] || fail "$1 is no line: $content"
    case $value in
    '' | *[!0-9]*) fail "$1 is no number: $content" ;;
    esac
}

await() {
    tries=0
    while line "$1" && [ "$value" != "$2" ]; do
        tries=$((tries + 1))
        [ $tries -lt 60000 ] || fail "$1 is still $value, not $2"
    done
}

round=0
while [ $round -lt "$rounds" ]; do
    line "$busy/stats/status/success/total"
    line "$busy/stats/memory_usage/device_mem/total"
    line "$busy/stats/memory_usage/device_mem/peak"
    round=$((round + 1))
done

sum=0
for file in "$devices"/neuron[0-9]*/neuron_core*/stats/status/timeout/total; do
    line "$file"
    sum=$((sum + value))
done
echo "timeouts $sum"
echo "arch_type $(cat "$quiet/info/architecture/arch_type")"

line "$quiet/stats/status/timeout/total"
echo "before $value"
echo 1 | tee "$quiet/stats/status/timeout/total" >/dev/null
await "$quiet/stats/status/timeout/total" 0
echo 1 >"$quiet/stats/status/failure/total"
await "$quiet/stats/status/failure/total" 0

line "$quiet/stats/other_info/reset_req_count/total"
echo 1 | tee "$device/reset" >/dev/null
await "$quiet/stats/other_info/reset_req_count/total" $((value + 1))
await "$device/reset" 1
echo "done"
