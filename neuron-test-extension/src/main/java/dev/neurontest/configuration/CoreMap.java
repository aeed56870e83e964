package dev.neurontest.configuration;

import org.apiguardian.api.API;

/** How the runtime's core numbers lead to the driver's {@code neuron_core} directories on Trn2. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CoreMap {
    /** Through the permutation of the driver, as runtimes of API 9 and later do. */
    TABLE,
    /** Unpermuted, as on Trn1 and Inf2. */
    IDENTITY
}
