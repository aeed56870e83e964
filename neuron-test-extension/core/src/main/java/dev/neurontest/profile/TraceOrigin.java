package dev.neurontest.profile;

/** The origin of a trace and its NEFF. It determines the required proof that they belong together. */
enum TraceOrigin {
    /** Captured by this test from a given NEFF, into a folder that was empty before. The capture is the proof. */
    CAPTURED,
    /** Written by the runtime of a workload into a new folder, next to a single NEFF with the same hash in its name. */
    PAIRED_BY_NAME,
    /** Produced by another program at an unknown time. Only a UUID in both files is a proof. */
    GIVEN
}
