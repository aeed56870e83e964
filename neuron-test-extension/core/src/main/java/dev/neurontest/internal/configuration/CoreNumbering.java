package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/**
 * The mappings from the runtime's core numbers to the physical cores of a device. A setting can override the known mapping of the
 * host.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CoreNumbering {
    /** The known mapping for the hardware, its platform and its driver. */
    BY_FAMILY,
    /** The driver's own order, as on Trn1 and Inf2. */
    IDENTITY,
    /** The driver's permutation of Trn2. */
    TRN2,
    /** The driver's permutation of Trn2 with the dies flipped. */
    TRN2_FLIPPED,
    /** The table of Trn3 on PDS and MAX machines. */
    TRN3_PDS,
    /** The table of driver 2.26 for Trn3 on PDS machines. */
    TRN3_PDS_2_26
}
