package dev.neurontest.internal.text;

import java.nio.file.Path;
import org.apiguardian.api.API;

/** The text of paths in messages. Commands need absolute paths, because a reader may run them in another directory. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PathText {

    private PathText() {}

    /** Returns the path relative to the working directory if it is below it, or else the path as it is. */
    public static String of(Path path) {
        Path working = Path.of("").toAbsolutePath().normalize();
        Path absolute = path.toAbsolutePath().normalize();
        boolean isBelow = working.getParent() != null && absolute.startsWith(working) && !absolute.equals(working);
        return isBelow ? working.relativize(absolute).toString() : path.toString();
    }
}
