package dev.neurontest.internal.shard;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The name that determines the shard of a class. It is the name of the outermost class, to keep nested classes in the same shard. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestClassName {

    private static final Pattern CLASS = Pattern.compile("\\[class(?:-template)?:([^\\]]*)\\]");

    private TestClassName() {}

    /**
     * Returns the name of the outermost class.
     *
     * @param name a binary name such as {@code com.acme.BertTest$Large}
     * @return for example {@code com.acme.BertTest}
     */
    public static String outermost(String name) {
        // A name may begin with a dollar sign.
        int dollar = name.indexOf('$', name.lastIndexOf('.') + 2);
        return dollar < 0 ? name : name.substring(0, dollar);
    }

    /**
     * Finds the class in a unique id of Jupiter.
     *
     * @param id for example {@code [engine:junit-jupiter]/[class:com.acme.BertTest]/[method:infers()]}
     * @return the outermost class; empty if the id contains none
     */
    static Optional<String> in(String id) {
        Matcher matcher = CLASS.matcher(id);
        return matcher.find() ? Optional.of(outermost(decoded(matcher.group(1)))) : Optional.empty();
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException plain) {
            return value;
        }
    }
}
