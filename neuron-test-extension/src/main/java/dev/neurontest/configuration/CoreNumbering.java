package dev.neurontest.configuration;

import org.apiguardian.api.API;

/**
 * How the runtime's core numbers lie on the physical cores of a device. Which one holds on which product is not verified
 * for every size of Trn2 and Trn3, so it can be said.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CoreNumbering {
    /** What is known of the hardware family. */
    BY_FAMILY,
    /** In the driver's own order, as on Trn1 and Inf2. */
    IDENTITY,
    /** Through the driver's permutation of Trn2. */
    TRN2,
    /** Through the same with the dies flipped. */
    TRN2_FLIPPED,
    /** Through the static table of the Trn3 PDS platforms. */
    TRN3_PDS
}
