package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** The ways to collect the prints of workloads. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum WorkloadPrints {
    /** The files that frameworks write below {@code NEURON_RT_DEBUG_OUTPUT_DIR}. */
    FILES,
    /** A reader that is injected into Python workloads. */
    PYTHON
}
