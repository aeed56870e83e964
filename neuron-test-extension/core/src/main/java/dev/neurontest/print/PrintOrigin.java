package dev.neurontest.print;

import org.apiguardian.api.API;

/** The transport by which a print left the process that owns the core. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum PrintOrigin {
    /** The debug stream of the runtime in this process. */
    STREAM,
    /** The debug stream of a child process, forwarded from inside it. */
    FORWARDED,
    /** Files below {@code NEURON_RT_DEBUG_OUTPUT_DIR}. */
    FILES,
    /** Lines on standard output, such as those of a simulation. Values are rounded, and long tensors are abbreviated. */
    TEXT,
    /** The file left by a JVM that ended while a test ran. */
    LEFT
}
