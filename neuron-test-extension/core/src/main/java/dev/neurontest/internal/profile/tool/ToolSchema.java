package dev.neurontest.internal.profile.tool;

import dev.neurontest.internal.text.NearestName;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The schema of the tables that a tool writes, as the tool itself prints it. It is a YAML document for each table. Only its words are
 * read, because the form of the document is not verified: a name that is no word of it is no table and no column.
 *
 * @param words every word of the schema, by its lower case
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ToolSchema(Map<String, String> words) {

    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final String OPTION = "--show-profile-schema";
    private static final int FIRST = 31;
    private static final int FIRST_OF_VIEW = 33;

    /** Names of every known version of the schema. A text without them is something else. */
    private static final Set<String> ALWAYS = Set.of("instruction", "opcodesummary", "duration_ns");

    /** Creates a schema with its own copy of the words. */
    public ToolSchema {
        words = Map.copyOf(words);
    }

    /**
     * Requests the schema from a tool.
     *
     * @param environment variables that the platform requires for its programs
     * @return empty when the tool is too old, or prints anything else
     */
    public static Optional<ToolSchema> of(ProfilerTool tool, Map<String, String> environment, Duration deadline) {
        boolean newMajor = tool.major() > 2;
        if (tool.generation() != ProfilerTool.Generation.EXPLORER || !newMajor && tool.minor() < FIRST) {
            return Optional.empty();
        }
        ToolCall call = ToolCall.of(
                        tool.path(),
                        newMajor || tool.minor() >= FIRST_OF_VIEW ? List.of("view", OPTION) : List.of(OPTION),
                        ToolCall.environment(
                                Optional.empty(), environment, tool.path().getRoot()))
                .deadline(deadline)
                .run();
        return call.succeeded() ? parse(call.stdout()) : Optional.empty();
    }

    static Optional<ToolSchema> parse(String text) {
        Map<String, String> words = new HashMap<>();
        WORD.matcher(text)
                .results()
                .forEach(word -> words.putIfAbsent(word.group().toLowerCase(Locale.ROOT), word.group()));
        return words.keySet().containsAll(ALWAYS) ? Optional.of(new ToolSchema(words)) : Optional.empty();
    }

    /** Returns whether the schema contains a name. */
    public boolean contains(String name) {
        return words.containsKey(name.toLowerCase(Locale.ROOT));
    }

    /** Returns the name in the schema that is most similar to an unknown one. */
    public Optional<String> nearest(String name) {
        return NearestName.of(name.toLowerCase(Locale.ROOT), words.keySet()).map(words::get);
    }
}
