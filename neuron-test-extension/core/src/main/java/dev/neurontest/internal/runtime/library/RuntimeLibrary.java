package dev.neurontest.internal.runtime.library;

import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * A loaded {@code libnrt.so.1}. It is never unloaded, since its threads and exit handlers stay behind.
 *
 * <p>Symbols come in groups: a class with static native methods is bound to the library when all its symbols are there, so
 * that an older library lacks a group and not everything.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeLibrary {

    private static final String ANY_SYMBOL = "nrt_init";
    private static final int RTLD_NOW = 0x2;
    private static final int RTLD_NODELETE = 0x1000;

    /** Local, so that the libraries of several hosts in one process do not call each other's functions. */
    private static final Map<String, Object> OPTIONS = Map.of(Library.OPTION_OPEN_FLAGS, RTLD_NOW | RTLD_NODELETE);

    /** Keeps a reference to each library, because JNA unloads a library without one. */
    private static final Map<String, RuntimeLibrary> LOADED = new HashMap<>();

    private static final Map<Class<?>, RuntimeLibrary> BOUND = new HashMap<>();

    private final Path path;
    private final NativeLibrary library;

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
        return load(path.toAbsolutePath().toString(), path);
    }

    /**
     * Lets the loader search, as for any program that is linked to the library. It gives one that is loaded already before it looks
     * anywhere, and that may belong to another host.
     */
    static RuntimeLibrary loadByName(String name) {
        RuntimeLibrary found = load(name, Path.of(name));
        Optional<RuntimeLibrary> other = found.sameAs();
        if (other.isPresent()) {
            throw new UnsatisfiedLinkError("it gives that of %s, which this JVM has loaded for another root"
                    .formatted(other.get().path()));
        }
        return found;
    }

    private Optional<RuntimeLibrary> sameAs() {
        synchronized (RuntimeLibrary.class) {
            return LOADED.values().stream()
                    .filter(other -> other != this && other.address().equals(address()))
                    .findFirst();
        }
    }

    private OptionalLong address() {
        return find(ANY_SYMBOL).stream().mapToLong(Pointer::nativeValue).findFirst();
    }

    private static synchronized RuntimeLibrary load(String name, Path path) {
        RuntimeLibrary loaded = LOADED.get(name);
        if (loaded == null) {
            Jna.load();
            loaded = new RuntimeLibrary(path, NativeLibrary.getInstance(name, OPTIONS));
            LOADED.put(name, loaded);
        }
        return loaded;
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
        return symbols.stream().filter(symbol -> find(symbol).isEmpty()).toList();
    }

    /** A symbol that not every version has. */
    public Optional<Function> find(String symbol) {
        try {
            return Optional.of(library.getFunction(symbol));
        } catch (UnsatisfiedLinkError absent) {
            return Optional.empty();
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
    public boolean bind(Class<?> group, List<String> symbols) {
        synchronized (RuntimeLibrary.class) {
            if (BOUND.get(group) == this) {
                return true;
            }
            if (!missing(symbols).isEmpty()) {
                return false;
            }
            Native.unregister(group);
            Native.register(group, library);
            BOUND.put(group, this);
            return true;
        }
    }
}
