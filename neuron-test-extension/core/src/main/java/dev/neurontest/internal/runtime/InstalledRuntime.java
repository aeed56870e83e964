package dev.neurontest.internal.runtime;

import dev.neurontest.internal.runtime.library.CoreCalls;
import dev.neurontest.internal.runtime.library.LibrarySearch;
import dev.neurontest.internal.runtime.library.RuntimeLibrary;
import dev.neurontest.internal.runtime.watch.CallsInFlight;
import dev.neurontest.internal.runtime.watch.RuntimeObserver;
import dev.neurontest.runtime.RuntimeUnavailableException;
import dev.neurontest.runtime.RuntimeVersion;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The runtime library of a host, loaded and asked for its version, but not initialised: no core is taken.
 *
 * @param library where it is
 * @param version what it says
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record InstalledRuntime(Path library, RuntimeVersion version) {

    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);

    /**
     * Looks for the library, as tests that use the runtime in their JVM do, and loads it. Not for a JVM in which a runtime is open.
     *
     * @param root of the host
     * @param chosen the only file to look at; empty for the usual places
     * @return the first that can be used
     * @throws RuntimeUnavailableException when none can, with every place that was looked at
     */
    public static InstalledRuntime find(Path root, Optional<Path> chosen) {
        RuntimeLibrary library = load(root, chosen);
        library.bind(CoreCalls.class, CoreCalls.SYMBOLS);
        try (CallsInFlight calls = new CallsInFlight(ANSWERS_WITHIN, RuntimeObserver.LOG)) {
            return new InstalledRuntime(library.path(), RuntimeVersion.read(calls));
        }
    }

    public static RuntimeLibrary load(Path root, Optional<Path> chosen) {
        LibrarySearch search = new LibrarySearch(root, chosen);
        try {
            return search.find().orElseThrow(() -> new RuntimeUnavailableException(search.refusal()));
        } catch (UncheckedIOException withoutJna) {
            throw new RuntimeUnavailableException(String.valueOf(withoutJna.getMessage()));
        }
    }
}
