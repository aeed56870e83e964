package dev.neurontest.internal.profile.table;

import dev.neurontest.internal.folder.TemporaryFolder;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.profile.TablesException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the tables, {@code org.duckdb:duckdb_jdbc}. The library is optional and only referenced by name. No class of it is loaded
 * before a table is read. The first load in a JVM unpacks the native library, which takes about half a second.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DuckDb {

    /** Maven coordinates of the library that users add to their build. */
    public static final String ARTIFACT = "org.duckdb:duckdb_jdbc:2.0.0.1";

    private static final String DRIVER = "org.duckdb.DuckDBDriver";

    private static @Nullable Path jar;
    private static @Nullable Driver driver;

    private DuckDb() {}

    /**
     * Sets the jar of the driver, for a driver that is not on the class path.
     *
     * @param duckDbJar the jar of {@code org.duckdb:duckdb_jdbc}
     */
    public static synchronized void takeFrom(Path duckDbJar) {
        jar = duckDbJar;
    }

    /**
     * Returns the jar of the driver, for a command that reads the same tables in another JVM.
     *
     * @return empty when there is no driver, or when it is not in a jar file
     */
    public static synchronized Optional<Path> jar() {
        try {
            return jar != null || !(source().openConnection() instanceof JarURLConnection connection)
                    ? Optional.ofNullable(jar)
                    : Optional.of(Path.of(connection.getJarFileURL().toURI()));
        } catch (TablesException
                | IOException
                | URISyntaxException
                | IllegalArgumentException
                | FileSystemNotFoundException none) {
            return Optional.empty();
        }
    }

    /** Returns why no table can be read in this JVM, and what to do; empty if tables can be read. */
    public static Optional<String> whyUnusable() {
        try {
            driver();
            return Optional.empty();
        } catch (TablesException unusable) {
            return Optional.of(String.valueOf(unusable.getMessage()));
        }
    }

    /** Opens an empty database in memory. */
    static Connection open() throws SQLException {
        Connection connection = driver().connect("jdbc:duckdb:", new Properties());
        if (connection == null) {
            throw unusable("it does not accept jdbc:duckdb:", null);
        }
        return connection;
    }

    private static synchronized Driver driver() {
        if (driver == null) {
            URL source = source();
            try (TemporaryFolder folder = TemporaryFolder.make()) {
                folder.requireExecutable();
                Class<?> type = Class.forName(DRIVER, true, new Loader(source, folder.path()));
                driver = (Driver) type.getConstructor().newInstance();
                // Connecting unpacks and loads the native library. This can fail although the class was loaded.
                driver.connect("jdbc:duckdb:", new Properties()).close();
            } catch (IOException e) {
                throw unusable(e instanceof FileSystemException ? e.toString() : String.valueOf(e.getMessage()), e);
            } catch (ReflectiveOperationException | SQLException | LinkageError e) {
                driver = null;
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw unusable(String.valueOf(cause), e);
            }
        }
        return driver;
    }

    /** Returns the jar or the directory that contains the driver. */
    private static URL source() {
        if (jar != null) {
            return url(jar);
        }
        String name = DRIVER.replace('.', '/') + ".class";
        return Stream.of(DuckDb.class.getClassLoader(), Thread.currentThread().getContextClassLoader())
                .filter(Objects::nonNull)
                .map(loader -> loader.getResource(name))
                .filter(Objects::nonNull)
                .findFirst()
                .map(resource ->
                        url(resource.toString().substring(0, resource.toString().length() - name.length())))
                .orElseThrow(() -> new TablesException(
                        TablesException.Kind.NO_READER,
                        "DuckDB, which reads the tables of a profile, is not on the class path. Add %s to the tests (80 MB; nothing else needs it), or pass --duckdb JAR to the command."
                                .formatted(ARTIFACT),
                        null));
    }

    /**
     * Loader of DuckDB with its native library from a given folder. The driver alone would unpack the library into {@code java.io.tmpdir},
     * where the file remains after the JVM is killed.
     */
    private static final class Loader extends URLClassLoader {

        private static final String LIBRARY = "libduckdb_java.so_";

        private final Path folder;
        private @Nullable URL library;

        Loader(URL source, Path folder) {
            super(new URL[] {source}, ClassLoader.getPlatformClassLoader());
            this.folder = folder;
        }

        @Override
        public @Nullable URL getResource(String name) {
            URL resource = super.getResource(name);
            if (name.startsWith(LIBRARY)) {
                // If the driver finds no resource, it loads the library by its name.
                library = resource;
                return null;
            }
            return resource;
        }

        @Override
        protected @Nullable String findLibrary(String name) {
            if (library == null) {
                return null;
            }
            Path file = folder.resolve(System.mapLibraryName(name));
            try (InputStream content = library.openStream()) {
                Files.copy(content, file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return file.toString();
        }
    }

    private static URL url(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new TablesException(
                    TablesException.Kind.NO_READER,
                    "%s is not a file. Use the jar of %s.".formatted(file, ARTIFACT),
                    null);
        }
        return url(file.toUri().toString());
    }

    private static URL url(String text) {
        try {
            return new URL(text);
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TablesException unusable(String reason, @Nullable Throwable cause) {
        return new TablesException(
                TablesException.Kind.NO_READER,
                "DuckDB cannot be used here (%s %s): %s. It needs Linux on x86-64 or ARM, macOS on ARM, or Windows, and 72 MB in java.io.tmpdir (%s) from which libraries may be loaded. Expected %s."
                        .formatted(
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"),
                                VisibleText.line(reason),
                                System.getProperty("java.io.tmpdir"),
                                ARTIFACT),
                cause);
    }
}
