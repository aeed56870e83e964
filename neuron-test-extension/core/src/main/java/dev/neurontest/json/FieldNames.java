package dev.neurontest.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;
import tools.jackson.core.JsonParser;
import tools.jackson.core.sym.PropertyNameMatcher;
import tools.jackson.core.util.Named;

/**
 * The names of the fields of one kind of object in a large file. The parser compares them with the bytes of the file, which is quick for names
 * that it knows and slow for others: so those that are skipped are learned too, as they come.
 *
 * @param <F> one for each field, called like it in upper case
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FieldNames<F extends Enum<F>> {

    private static final int MOST_LEARNED = 100;
    private static final int LONGEST_LEARNED = 64;

    private final F[] fields;
    private final List<String> names;
    private PropertyNameMatcher matcher;

    /**
     * Knows the fields.
     *
     * @param fields all of them
     */
    public FieldNames(F[] fields) {
        this.fields = fields.clone();
        this.names = new ArrayList<>(Arrays.stream(fields)
                .map(field -> field.name().toLowerCase(Locale.ROOT))
                .toList());
        this.matcher = newMatcher();
    }

    private PropertyNameMatcher newMatcher() {
        return LargeJson.JSON.constructNameMatcher(
                names.stream().map(Named::fromString).toList(), false);
    }

    /**
     * What the parser compares names with. A later one knows more of them.
     *
     * @return for {@link JsonParser#nextNameMatch}
     */
    public PropertyNameMatcher matcher() {
        return matcher;
    }

    /**
     * Whether a match is one of the fields, and none that is skipped.
     *
     * @param match what the parser gave
     * @return false for what is skipped
     */
    public boolean isField(int match) {
        return match >= 0 && match < fields.length;
    }

    /**
     * The field.
     *
     * @param match of one of them
     * @return which
     */
    public F field(int match) {
        return fields[match];
    }

    /**
     * Takes in the name that the parser is at if it did not match, to be skipped more quickly.
     *
     * @param match what the parser gave
     * @param parser at a name
     */
    public void learn(int match, JsonParser parser) {
        if (match == PropertyNameMatcher.MATCH_UNKNOWN_NAME && names.size() < fields.length + MOST_LEARNED) {
            String name = parser.currentName();
            if (isPlain(name)) {
                names.add(name);
                matcher = newMatcher();
            }
        }
    }

    /** The matcher cannot be made with every name: not with the empty one, and it mixes up those with NUL in them. */
    private static boolean isPlain(String name) {
        return !name.isEmpty()
                && name.length() <= LONGEST_LEARNED
                && name.chars().allMatch(c -> c == '_' || isLetterOrDigit(c));
    }

    private static boolean isLetterOrDigit(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
}
