#!/bin/sh
# Starts the shards, and the job that reports and gates once all of them are over, however they ended.
# It waits for that job, and ends with its exit status: that of the gate. Call it where neuron-test.jar and target are: that folder
# has to be one that all nodes see.
set -eu
here=$(dirname "$0")
tests=$(sbatch --parsable "$here/shards.sh")
tests=${tests%%;*}
echo "The shards are job $tests; they write to run/$tests"
sbatch --wait --dependency="afterany:$tests" "$here/report.sh" "$tests"
