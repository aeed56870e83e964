package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** How the prints of workloads are collected. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum WorkloadPrints {
    /** From the files below {@code NEURON_RT_DEBUG_OUTPUT_DIR}, which frameworks write. */
    FILES,
    /** By a reader that is put into Python workloads. */
    PYTHON
}
