package dev.neurontest.fake.internal.tree.directory;

/** The state of what could not be published and is tried again; only one thread uses it at a time. */
final class RetryState {

    boolean known;
    boolean retryQueued;
}
