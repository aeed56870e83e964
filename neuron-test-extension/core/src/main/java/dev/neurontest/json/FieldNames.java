package dev.neurontest.profile.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonParser;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.sym.PropertyNameMatcher;
import tools.jackson.core.util.Named;

/**
 * The names of the fields of one kind of object. The parser compares them with the bytes of the file, which is quick for names
 * that it knows and slow for others: so those that are skipped are learned too, as they come.
 */
final class EventFieldNames<F extends Enum<F>> {

    private static final int MOST_LEARNED = 100;
    private static final int LONGEST_LEARNED = 64;

    private final JsonFactory json;
    private final F[] fields;
    private final List<String> names;
    private PropertyNameMatcher matcher;

    EventFieldNames(JsonFactory json, F[] fields) {
        this.json = json;
        this.fields = fields;
        this.names = new ArrayList<>(Arrays.stream(fields)
                .map(field -> field.name().toLowerCase(Locale.ROOT))
                .toList());
        this.matcher = newMatcher();
    }

    private PropertyNameMatcher newMatcher() {
        return json.constructNameMatcher(names.stream().map(Named::fromString).toList(), false);
    }

    PropertyNameMatcher matcher() {
        return matcher;
    }

    /** Whether a match is one of the fields, and none that is skipped. */
    boolean isField(int match) {
        return match >= 0 && match < fields.length;
    }

    F field(int match) {
        return fields[match];
    }

    /** Takes in the name that the parser is at if it did not match, to be skipped more quickly. */
    void learn(int match, JsonParser parser) {
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
