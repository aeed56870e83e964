package dev.neurontest.internal.shard;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The name by which a class belongs to a shard: that of the class around all others, so that nested ones come with it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestClassName {

    private static final Pattern CLASS = Pattern.compile("\\[class(?:-template)?:([^\\]]*)\\]");

    private TestClassName() {}

    /**
     * The class around a class.
     *
     * @param name a binary name such as {@code com.acme.BertTest$Large}
     * @return such as {@code com.acme.BertTest}
     */
    public static String outermost(String name) {
        // a name may begin with $
        int dollar = name.indexOf('$', name.lastIndexOf('.') + 2);
        return dollar < 0 ? name : name.substring(0, dollar);
    }

    /**
     * The class in a unique id of Jupiter.
     *
     * @param id such as {@code [engine:junit-jupiter]/[class:com.acme.BertTest]/[method:infers()]}
     * @return the class around all others; empty where the id names none
     */
    static Optional<String> in(String id) {
        Matcher found = CLASS.matcher(id);
        return found.find() ? Optional.of(outermost(decoded(found.group(1)))) : Optional.empty();
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException plain) {
            return value;
        }
    }
}
