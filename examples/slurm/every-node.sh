#!/bin/sh
# Each node runs the whole suite, as an acceptance of nodes does; the first gate that does not pass fails the job. Never run on a Neuron node.
#SBATCH --job-name=neuron-tests
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gres=neuron:16
#SBATCH --time=01:00:00
set -eu
export NEURON_TEST_PLATFORM=real
mkdir -p run
tests=0
srun sh -c 'java -jar neuron-test.jar run -cp "target/test-classes:target/classes:libs/*" --scan-class-path \
    --report "run/$SLURMD_NODENAME"' || tests=$?
java -jar neuron-test.jar report --gate --limit=hardware.min=40 --html=neuron-report.html run
exit $tests
