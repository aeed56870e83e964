#!/bin/sh
# One task of this array is one shard of the suite. The whole node is its own, so the next one goes to another node, or waits for one.
# Slurm starts a task again when its node dies; the report counts it once. With --no-requeue the gate fails: the test that ran and
# those that were planned behind it are lost and named.
#SBATCH --job-name=neuron-tests
#SBATCH --array=1-8
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gres=neuron:16
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
export NEURON_TEST_PLATFORM="${NEURON_TEST_PLATFORM:-real}" NEURON_TEST_SHARD=auto
mkdir -p "run/$SLURM_ARRAY_JOB_ID"
exec java -jar neuron-test.jar run -cp "target/test-classes:target/classes:libs/*" --scan-class-path \
    --report "run/$SLURM_ARRAY_JOB_ID/$SLURM_ARRAY_TASK_ID"
