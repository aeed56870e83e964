package dev.neurontest.print;

import org.apiguardian.api.API;

/** By which way a print left the process that owns the core. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum PrintOrigin {
    /** The debug stream of the runtime in this process. */
    STREAM,
    /** The debug stream of a child process, forwarded from inside it. */
    FORWARDED,
    /** Files below {@code NEURON_RT_DEBUG_OUTPUT_DIR}. */
    FILES,
    /** Lines on standard output, such as a simulation writes them. Rounded, and long tensors are abbreviated. */
    TEXT,
    /** The file that a JVM has left that ended while a test ran. */
    LEFT
}
