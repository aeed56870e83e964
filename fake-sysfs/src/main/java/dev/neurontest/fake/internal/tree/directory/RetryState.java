package dev.neurontest.fake.internal.tree.directory;

/** The state of a failed publication that is retried. Only one thread uses it at a time. */
final class RetryState {

    boolean reported;
    boolean retryQueued;
}
