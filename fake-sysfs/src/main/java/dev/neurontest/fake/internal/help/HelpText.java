package dev.neurontest.fake.internal.help;

import org.apiguardian.api.API;

/** A help text: the forms of input, and below each its effect, in lines of at most a hundred characters. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HelpText {

    private final StringBuilder text = new StringBuilder();

    /** Creates an empty text. */
    public HelpText() {}

    /**
     * Adds a form of input.
     *
     * @param written the form of input
     * @param does its effect, in a sentence
     */
    public HelpText add(String written, String does) {
        text.append(wrapped("  ", written)).append(wrapped("      ", does));
        return this;
    }

    private static String wrapped(String indent, String words) {
        return words.replaceAll("(.{1,94})( |$)", indent + "$1\n");
    }

    /** Returns the answer to a command: {@code 30 lines follow}, for example, and these lines. */
    public String answer() {
        return "%s lines follow\n%s"
                .formatted(text.toString().lines().count(), text.toString().stripTrailing());
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
