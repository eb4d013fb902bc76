# Runs one container as a process group of its own and never outlives whoever holds the other end of its standard input.
# The first line of its output is the process id; each line of its input is a signal for the group; the end of input kills it.
exec 3<&0 </dev/null
sh -c 'echo "$$"; exec setsid "$@"' ratchet-launch "$@" 3<&- 2>&1 &
child=$!
signal_group() { kill -s "$1" -- "-$child" || kill -s "$1" "$child"; }
(
  while read -r signal; do signal_group "$signal"; done
  signal_group KILL
) <&3 3<&- >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$child"
code=$?
{ kill -s KILL "$watcher"; kill -s KILL -- "-$child"; } >/dev/null 2>&1
exit "$code"
