package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** How the runtime's core numbers lie on the physical cores of a device. Where it is not what is known of the host, it can be said. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CoreNumbering {
    /** What is known of the hardware, its platform and its driver. */
    BY_FAMILY,
    /** In the driver's own order, as on Trn1 and Inf2. */
    IDENTITY,
    /** Through the driver's permutation of Trn2. */
    TRN2,
    /** Through the same with the dies flipped. */
    TRN2_FLIPPED,
    /** Through the table of Trn3 on PDS and MAX machines. */
    TRN3_PDS,
    /** Through the table that driver 2.26 has for Trn3 on PDS machines. */
    TRN3_PDS_2_26
}
