package dev.neurontest;

import dev.neurontest.evidence.AttachmentSink;
import java.nio.file.Files;
import org.junit.jupiter.api.MediaType;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Attaches to JUnit's own report of a test. */
record JUnitAttachments(ExtensionContext context) implements AttachmentSink {

    @Override
    public void attach(String name, String mediaType, byte[] content) {
        context.publishFile(name, MediaType.parse(mediaType), file -> Files.write(file, content));
    }
}
