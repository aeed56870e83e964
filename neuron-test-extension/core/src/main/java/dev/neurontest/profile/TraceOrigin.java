package dev.neurontest.profile;

/** The way in which a trace and its NEFF came together, which decides what has to prove that they belong together. */
enum TraceOrigin {
    /** Captured by this test from a given NEFF, into a folder that was empty before: the capture itself is the proof. */
    CAPTURED,
    /** Written by the runtime of a workload into a fresh folder, beside a single NEFF with the same hash in its name. */
    PAIRED_BY_NAME,
    /** Made by another program at an unknown time. Only a UUID in both files proves anything. */
    GIVEN
}
