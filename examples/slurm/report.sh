#!/bin/sh
# Needs no Neuron device. The gate fails when a shard is missing, whatever Slurm says of its job.
#SBATCH --job-name=neuron-report
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=00:10:00
set -eu
exec java -jar neuron-test.jar report --gate --html="run/$1/neuron-report.html" --json="run/$1/neuron-report.json" "run/$1"
