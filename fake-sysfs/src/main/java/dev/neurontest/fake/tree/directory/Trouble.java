package dev.neurontest.fake.tree.directory;

/** Whether something could not be published, and is about to be tried again. Used in turn. */
final class Trouble {

    boolean known;
    boolean retryQueued;
}
