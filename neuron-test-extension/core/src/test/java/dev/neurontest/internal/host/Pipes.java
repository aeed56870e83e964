package dev.neurontest.internal.host;

import com.sun.jna.Function;
import java.nio.file.Path;

/** Files that block the thread that opens them. */
public final class Pipes {

    private Pipes() {}

    /** Creates a named pipe, which blocks its readers until a writer opens it. */
    public static Path make(Path path) {
        int failed = Function.getFunction("c", "mkfifo").invokeInt(new Object[] {path.toString(), 0600});
        if (failed != 0) {
            throw new IllegalStateException("no pipe could be made at " + path);
        }
        return path;
    }
}
