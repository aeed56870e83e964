package dev.neurontest.conformance;

/** Cases of the suite that belong together; who runs them says on which host. */
interface Cases {

    HostUnderTest host();
}
