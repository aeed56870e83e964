package dev.neurontest.fake.internal.files;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** The lines of a resource of the fake. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ResourceLines {

    private ResourceLines() {}

    /**
     * Reads the lines of a resource, without blank lines and comments.
     *
     * @param owner a class in the same package as the resource
     * @param resource the name of the resource
     */
    public static List<String> of(Class<?> owner, String resource) {
        try (InputStream in = owner.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing from the jar of fake-sysfs");
            }
            List<String> lines = new ArrayList<>();
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    lines.add(line);
                }
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource + " of fake-sysfs", e);
        }
    }
}
