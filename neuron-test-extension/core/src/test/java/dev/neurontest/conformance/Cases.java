package dev.neurontest.conformance;

/** A group of cases of the suite; the runner provides the host. */
interface Cases {

    HostUnderTest host();
}
