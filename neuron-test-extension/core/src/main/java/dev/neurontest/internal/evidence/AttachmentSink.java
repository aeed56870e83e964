package dev.neurontest.internal.evidence;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/** A report that takes attachments of the test that is running. */
@FunctionalInterface
@API(status = API.Status.INTERNAL, since = "0.1")
public interface AttachmentSink {

    /**
     * Attaches something to the test.
     *
     * @param name a file name, the same in every run, such as {@code neuron-counters.txt}
     * @param mediaType such as {@code text/plain}
     * @param content what is in it
     * @return where it lies now; empty where the report does not say
     * @throws IOException when the report cannot take it
     */
    Optional<Path> attach(String name, String mediaType, byte[] content) throws IOException;
}
