package dev.neurontest.examples;

import java.io.IOException;

/** The Python of the examples. */
final class Python {

    private Python() {}

    /** Returns whether there is a Python with the module that nrtpy needs. */
    static boolean hasNumpy() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "-c", "import numpy").start().waitFor() == 0;
        } catch (IOException noPython) {
            return false;
        }
    }
}
