package dev.neurontest.internal.command;

import dev.neurontest.internal.platform.Platform;
import java.util.Iterator;
import java.util.stream.Stream;

/** The values for the completion of {@code --platform} in a shell. */
final class PlatformCandidates implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
        return Stream.concat(
                        Stream.of("auto", "real", "root:", "replay:"),
                        Platform.fakeInstanceTypes().stream().map(type -> "fake:" + type))
                .iterator();
    }
}
