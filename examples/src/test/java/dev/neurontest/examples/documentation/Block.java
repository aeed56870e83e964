package dev.neurontest.examples.documentation;

import java.util.List;
import java.util.Optional;

/** A fenced block of a page, with the comments that stand before it. */
record Block(String language, int line, List<String> content, List<Directive> directives) {

    /** What a comment before a block says about it, such as {@code from examples/pom.xml}. */
    record Directive(Kind kind, String argument) {}

    enum Kind {
        /** The block is a file, or a region of it. */
        FROM("from "),
        /** The block is what the shell block before it printed. */
        OUTPUT("output"),
        /** The block is the message with which a test fails. */
        FAILURE("failure of "),
        /** The block is a file that a test attaches. */
        ATTACHMENT("attachment "),
        /** The shell block, or what a reader does not see, ends with this status. */
        EXITS("exits with "),
        /** The block cannot be run here. */
        NOT_RUN("not run: "),
        /** What the block shows cannot be compared here. */
        NOT_COMPARED("not compared: "),
        /** Shell commands that a reader does not see. */
        SETUP("setup");

        private final String beginning;

        Kind(String beginning) {
            this.beginning = beginning;
        }

        static Optional<Directive> read(String comment) {
            for (Kind kind : values()) {
                if (comment.startsWith(kind.beginning)) {
                    return Optional.of(new Directive(
                            kind, comment.substring(kind.beginning.length()).strip()));
                }
            }
            return Optional.empty();
        }
    }

    Optional<String> says(Kind kind) {
        return directives.stream()
                .filter(directive -> directive.kind() == kind)
                .map(Directive::argument)
                .findFirst();
    }

    boolean has(Kind kind) {
        return says(kind).isPresent();
    }

    String text() {
        return String.join("\n", content);
    }
}
