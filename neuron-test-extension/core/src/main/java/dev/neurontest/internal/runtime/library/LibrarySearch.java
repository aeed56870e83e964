package dev.neurontest.internal.runtime.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Search for libnrt. It checks only the place chosen by the user, if any. Otherwise it checks the usual folder below the host's root, and,
 * if the root is {@code /}, the places of the loader.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LibrarySearch {

    private static final String USUAL_PLACE = "opt/aws/neuron/lib/libnrt.so.1";
    private static final String NAME = "libnrt.so.1";

    /** Beginning of a line about JNA's own second attempt, which contains the whole class path. */
    private static final String JNA_RESOURCES = "Native library (";

    private static final List<String> REQUIRED = Stream.of(CoreCalls.SYMBOLS, TensorCalls.SYMBOLS)
            .flatMap(List::stream)
            .toList();

    private final Path root;
    private final Optional<Path> chosen;
    private final List<Place> places = new ArrayList<>();

    /** A searched place, and the reason why it has no usable library. */
    private record Place(String where, String reason) {}

    public LibrarySearch(Path root, Optional<Path> chosen) {
        this.root = root.toAbsolutePath().normalize();
        this.chosen = chosen.map(Path::toAbsolutePath);
    }

    /** Finds a usable library. If there is none, {@link #refusal()} contains the reasons. */
    public Optional<RuntimeLibrary> find() {
        Path file = chosen.orElseGet(() -> root.resolve(USUAL_PLACE));
        return at(file).or(() -> isWholeMachine() ? byName() : Optional.empty());
    }

    private boolean isWholeMachine() {
        return chosen.isEmpty() && root.getNameCount() == 0;
    }

    private Optional<RuntimeLibrary> at(Path file) {
        Optional<String> unusable = unusable(file);
        if (unusable.isPresent()) {
            places.add(new Place(file.toString(), unusable.get()));
            return Optional.empty();
        }
        try {
            return complete(RuntimeLibrary.load(file), file.toString());
        } catch (UnsatisfiedLinkError refused) {
            places.add(new Place(file.toString(), loaderWords(refused)));
            return Optional.empty();
        }
    }

    private Optional<RuntimeLibrary> byName() {
        String where = NAME + ", as the loader finds it (LD_LIBRARY_PATH and its cache)";
        try {
            return complete(RuntimeLibrary.loadByName(NAME), where);
        } catch (UnsatisfiedLinkError refused) {
            places.add(new Place(where, loaderWords(refused)));
            return Optional.empty();
        }
    }

    private Optional<String> unusable(Path file) {
        if (!Files.exists(file)) {
            return Optional.of(Files.isSymbolicLink(file) ? "is a symbolic link to a missing file" : "does not exist");
        }
        if (!Files.isRegularFile(file)) {
            return Optional.of("is not a regular file");
        }
        try {
            if (chosen.isEmpty() && !file.toRealPath().startsWith(root.toRealPath())) {
                return Optional.of("leads out of the root " + root + " by a symbolic link");
            }
            return ElfHead.unusable(file);
        } catch (IOException e) {
            return Optional.of("cannot be read: " + e);
        }
    }

    private Optional<RuntimeLibrary> complete(RuntimeLibrary library, String where) {
        List<String> missing = library.missing(REQUIRED);
        if (missing.isEmpty()) {
            return Optional.of(library);
        }
        places.add(new Place(
                where,
                missing.size() == REQUIRED.size()
                        ? "exports no function of libnrt"
                        : "is too old or incomplete: it does not export " + String.join(", ", missing)));
        return Optional.empty();
    }

    private static String loaderWords(UnsatisfiedLinkError refused) {
        String words = String.valueOf(refused.getMessage())
                .replaceFirst("^Unable to load library '[^']*':\\s*", "")
                .strip();
        return "the loader refuses it: "
                + words.lines()
                        .map(String::strip)
                        .filter(line -> !line.startsWith(JNA_RESOURCES))
                        .distinct()
                        .collect(Collectors.joining("; "));
    }

    /** Returns every searched place, the reason why it has no usable library, and advice. */
    public String refusal() {
        String looked = places.stream()
                .map(place -> "\n  %s: %s".formatted(place.where(), place.reason()))
                .collect(Collectors.joining());
        if (chosen.isPresent()) {
            return "No libnrt can be used here. Checked:%s\nCorrect this path, or remove it to search the usual places."
                    .formatted(looked);
        }
        if (!isWholeMachine()) {
            return "No libnrt can be used here. Checked:%s\nUnder a root other than / only this place is searched: put the library there, or set its path."
                    .formatted(looked);
        }
        return """
                No libnrt can be used here. Checked:%s
                Install aws-neuronx-runtime-lib, or set the library's path. A library or a dependency in an unusual folder is found if the JVM is started with that folder in LD_LIBRARY_PATH.
                %s""".formatted(
                        looked,
                        new TestJvmEnvironment()
                                .set("LD_LIBRARY_PATH", "/opt/aws/neuron/lib")
                                .text());
    }
}
