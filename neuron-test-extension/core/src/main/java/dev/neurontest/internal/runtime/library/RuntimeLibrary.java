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
 * A loaded {@code libnrt.so.1}. It is never unloaded, because its threads and exit handlers remain.
 *
 * <p>Symbols are organized in groups. A class with static native methods is bound to the library only if all its symbols exist. An older
 * library therefore lacks only single groups.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeLibrary {

    private static final String ANY_SYMBOL = "nrt_init";
    private static final int RTLD_NOW = 0x2;
    private static final int RTLD_NODELETE = 0x1000;

    /** Options for local symbols. Otherwise the libraries of several hosts in one process would call each other's functions. */
    private static final Map<String, Object> OPTIONS = Map.of(Library.OPTION_OPEN_FLAGS, RTLD_NOW | RTLD_NODELETE);

    /** References to all loaded libraries, because JNA unloads a library without a reference. */
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
     * @throws UnsatisfiedLinkError with the message of the loader when the library or a dependency cannot be loaded
     */
    public static RuntimeLibrary load(Path path) {
        return load(path.toAbsolutePath().toString(), path);
    }

    /**
     * Loads a library by name, with the search of the loader as for any linked program. The loader first returns an already loaded library
     * of this name. If that library belongs to another host, an error is thrown.
     */
    static RuntimeLibrary loadByName(String name) {
        RuntimeLibrary library = load(name, Path.of(name));
        Optional<RuntimeLibrary> duplicate = library.sameAs();
        if (duplicate.isPresent()) {
            throw new UnsatisfiedLinkError("it returns the library of %s, which this JVM has loaded for another root"
                    .formatted(duplicate.get().path()));
        }
        return library;
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

    /** Returns the path from which the library was loaded. */
    public Path path() {
        return path;
    }

    /** Returns the given symbols that the library does not export. */
    public List<String> missing(List<String> symbols) {
        return symbols.stream().filter(symbol -> find(symbol).isEmpty()).toList();
    }

    /** Finds a symbol that only some versions have. */
    public Optional<Function> find(String symbol) {
        try {
            return Optional.of(library.getFunction(symbol));
        } catch (UnsatisfiedLinkError absent) {
            return Optional.empty();
        }
    }

    /**
     * Binds the static native methods of a class, unless a symbol is missing. A class that was bound to another library before is bound to
     * this one from now on.
     *
     * @param group the class
     * @param symbols its methods
     * @return true if the class is bound
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
