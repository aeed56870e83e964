package dev.neurontest.runtime;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A loaded {@code libnrt.so.1}. It is never unloaded, since its threads and exit handlers stay behind.
 *
 * <p>Symbols come in groups: a class with static native methods is bound to the library when all its symbols are there, so
 * that an older library lacks a group and not everything.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeLibrary {

    private final Path path;
    private final NativeLibrary library;
    private final Set<Class<?>> bound = new LinkedHashSet<>();

    private RuntimeLibrary(Path path, NativeLibrary library) {
        this.path = path;
        this.library = library;
    }

    /**
     * Loads a library by its absolute path.
     *
     * @param path the file
     * @return the library
     * @throws UnsatisfiedLinkError with the loader's words when it or something that it needs cannot be loaded
     */
    public static RuntimeLibrary load(Path path) {
        return new RuntimeLibrary(
                path, NativeLibrary.getInstance(path.toAbsolutePath().toString()));
    }

    /**
     * Where it is.
     *
     * @return as it was loaded
     */
    public Path path() {
        return path;
    }

    /**
     * Which symbols it lacks.
     *
     * @param symbols looked for
     * @return those that are not exported
     */
    public List<String> missing(List<String> symbols) {
        return symbols.stream().filter(symbol -> !has(symbol)).toList();
    }

    private boolean has(String symbol) {
        try {
            library.getFunction(symbol);
            return true;
        } catch (UnsatisfiedLinkError absent) {
            return false;
        }
    }

    /**
     * Binds the static native methods of a class, unless a symbol is missing. What was bound to another library before is bound to
     * this one from now on.
     *
     * @param group the class
     * @param symbols its methods
     * @return whether it is bound
     */
    public synchronized boolean bind(Class<?> group, List<String> symbols) {
        if (bound.contains(group)) {
            return true;
        }
        if (!missing(symbols).isEmpty()) {
            return false;
        }
        Native.unregister(group);
        Native.register(group, library);
        bound.add(group);
        return true;
    }
}
