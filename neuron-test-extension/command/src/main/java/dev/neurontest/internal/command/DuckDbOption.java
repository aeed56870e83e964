package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.CommandException;
import dev.neurontest.internal.profile.table.DuckDb;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the reader of Parquet tables, which is too large for the jar of the command. */
final class DuckDbOption {

    @Option(
            names = "--duckdb",
            paramLabel = "JAR",
            description =
                    "the jar of org.duckdb:duckdb_jdbc, which reads Parquet tables; the default is a duckdb_jdbc*.jar next to"
                            + " neuron-test.jar")
    private @Nullable Path jar;

    /** Sets the jar, if it is known. Nothing is loaded before a table is read. */
    void use() {
        jar().ifPresent(DuckDb::takeFrom);
    }

    /** Returns the jar from the option, or the jar next to that of the command. */
    Optional<Path> jar() {
        return named().or(() ->
                jarNextTo(Path.of(System.getProperty("java.class.path").split(File.pathSeparator)[0])));
    }

    Optional<Path> named() {
        if (jar != null && !Files.isRegularFile(jar)) {
            throw new CommandException(
                    "--duckdb: %s is not a file. Use the jar of %s.".formatted(jar, DuckDb.ARTIFACT));
        }
        return Optional.ofNullable(jar);
    }

    /** Returns the newest jar next to a file, by its name. */
    static Optional<Path> jarNextTo(Path file) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(file.toAbsolutePath().resolveSibling(""), "duckdb_jdbc*.jar")) {
            jars.forEach(files::add);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
        return Files.isRegularFile(file) ? files.stream().max(Comparator.naturalOrder()) : Optional.empty();
    }
}
