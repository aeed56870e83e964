package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.evidence.AttachmentSink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.MediaType;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A sink that attaches files to JUnit's own report of a test. */
record JUnitAttachments(ExtensionContext context) implements AttachmentSink {

    @Override
    public Optional<Path> attach(String name, String mediaType, byte[] content) {
        AtomicReference<@Nullable Path> written = new AtomicReference<>();
        context.publishFile(name, MediaType.parse(mediaType), file -> written.set(Files.write(file, content)));
        return Optional.ofNullable(written.get());
    }
}
