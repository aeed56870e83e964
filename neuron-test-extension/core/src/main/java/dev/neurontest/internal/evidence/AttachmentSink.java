package dev.neurontest.internal.evidence;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/** A report that accepts attachments of the running test. */
@FunctionalInterface
@API(status = API.Status.INTERNAL, since = "0.1")
public interface AttachmentSink {

    /**
     * Attaches a file to the test.
     *
     * @param name a file name, the same in every run, such as {@code neuron-counters.txt}
     * @param mediaType for example {@code text/plain}
     * @return the path of the file; empty if the report does not return it
     * @throws IOException if the report cannot accept the file
     */
    Optional<Path> attach(String name, String mediaType, byte[] content) throws IOException;
}
