package dev.neurontest.command;

import dev.neurontest.command.run.CommandException;
import dev.neurontest.profile.table.DuckDb;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the reader of Parquet tables is: it is too large to be in the jar of the command. */
final class DuckDbOption {

    @Option(
            names = "--duckdb",
            paramLabel = "JAR",
            description =
                    "the jar of org.duckdb:duckdb_jdbc, which reads Parquet tables; without it a duckdb_jdbc*.jar beside"
                            + " neuron-test.jar")
    private @Nullable Path jar;

    /** Says where it is, if that is known; nothing is loaded before a table is read. */
    void use() {
        jar().ifPresent(DuckDb::takeFrom);
    }

    /** The jar that is named, or the one beside the command. */
    Optional<Path> jar() {
        return named().or(() -> beside(ownJar()));
    }

    Optional<Path> named() {
        if (jar != null && !Files.isRegularFile(jar)) {
            throw new CommandException("--duckdb: %s is no file. Give the jar of %s.".formatted(jar, DuckDb.ARTIFACT));
        }
        return Optional.ofNullable(jar);
    }

    /** The newest of the jars that lie beside a file, as names have it. */
    static Optional<Path> beside(Optional<Path> file) {
        Optional<Path> folder = file.filter(Files::isRegularFile)
                .map(own -> own.toAbsolutePath().getParent());
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder.get(), "duckdb_jdbc*.jar")) {
            jars.forEach(found::add);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(Collections.max(found));
    }

    private static Optional<Path> ownJar() {
        try {
            return Optional.of(Path.of(DuckDbOption.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI()));
        } catch (URISyntaxException | RuntimeException unknown) {
            return Optional.empty();
        }
    }
}
