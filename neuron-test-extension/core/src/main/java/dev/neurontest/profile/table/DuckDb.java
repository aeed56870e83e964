package dev.neurontest.profile.table;

import dev.neurontest.text.VisibleText;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Properties;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The reader of the tables, {@code org.duckdb:duckdb_jdbc}. It is optional and known by name alone: nothing of it is loaded before a
 * table is read. The first one in a JVM unpacks the native library, which takes about half a second.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DuckDb {

    /** What to add to a build. */
    public static final String ARTIFACT = "org.duckdb:duckdb_jdbc:2.0.0.1";

    private static final String DRIVER = "org.duckdb.DuckDBDriver";

    private static @Nullable Path jar;
    private static @Nullable Driver driver;

    private DuckDb() {}

    /**
     * Takes the driver from a jar, where it is not on the class path.
     *
     * @param duckDbJar the jar of {@code org.duckdb:duckdb_jdbc}
     */
    public static synchronized void takeFrom(Path duckDbJar) {
        jar = duckDbJar;
    }

    /** A database in memory that holds nothing yet. */
    static Connection open() throws SQLException {
        Connection connection = driver().connect("jdbc:duckdb:", new Properties());
        if (connection == null) {
            throw unusable("it does not know jdbc:duckdb:", null);
        }
        return connection;
    }

    private static synchronized Driver driver() {
        if (driver == null) {
            try {
                driver = (Driver) type().getConstructor().newInstance();
                // Unpacks and loads the native library, which may fail where this one works.
                driver.connect("jdbc:duckdb:", new Properties()).close();
            } catch (ReflectiveOperationException | SQLException | LinkageError e) {
                driver = null;
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw unusable(String.valueOf(cause), e);
            }
        }
        return driver;
    }

    private static Class<?> type() throws ClassNotFoundException {
        if (jar != null) {
            return Class.forName(DRIVER, true, new URLClassLoader(new URL[] {url(jar)}, DuckDb.class.getClassLoader()));
        }
        try {
            return Class.forName(DRIVER, true, DuckDb.class.getClassLoader());
        } catch (ClassNotFoundException hidden) {
            try {
                return Class.forName(DRIVER, true, Thread.currentThread().getContextClassLoader());
            } catch (ClassNotFoundException absent) {
                throw new TablesException(
                        TablesException.Kind.NO_READER,
                        "The tables of a profile are read by DuckDB, which is not on the class path. Add %s to the tests (80 MB; nothing else needs it), or give the command --duckdb JAR."
                                .formatted(ARTIFACT),
                        absent);
            }
        }
    }

    private static URL url(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new TablesException(
                        TablesException.Kind.NO_READER,
                        "%s is no file. Give the jar of %s.".formatted(file, ARTIFACT),
                        null);
            }
            return file.toUri().toURL();
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
