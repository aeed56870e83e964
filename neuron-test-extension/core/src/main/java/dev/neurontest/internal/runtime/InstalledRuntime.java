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
 * The runtime library of a host and its version. The library is loaded but not initialized, and no core is occupied.
 *
 * @param library path of the library
 * @param version version reported by the library
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record InstalledRuntime(Path library, RuntimeVersion version) {

    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);

    /**
     * Searches the library in the same way as tests that use the runtime in their JVM, and loads it. It must not be called in a JVM with
     * an open runtime.
     *
     * @param root root directory of the host
     * @param chosen the only file to check; empty for the usual places
     * @return the first usable library
     * @throws RuntimeUnavailableException when there is none; the message lists every searched place
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
