package dev.neurontest.examples.documentation;

import java.util.List;
import java.util.Optional;

/** A fenced block of a page, with the comments directly before it. */
record Block(String language, int line, List<String> content, List<Directive> directives) {

    /** An instruction in a comment before a block, such as {@code from examples/pom.xml}. */
    record Directive(Kind kind, String argument) {}

    enum Kind {
        /** The block is a file, or a region of it. */
        FROM("from "),
        /** The block is the file around the Java examples of the page: their imports, and what else they use. */
        IMPORTS("imports"),
        /** The block is the output of the shell block before it. */
        OUTPUT("output"),
        /** The block is the message with which a test fails. */
        FAILURE("failure of "),
        /** The block is a file that a test attaches. */
        ATTACHMENT("attachment "),
        /** The shell block, or the hidden setup, ends with this status. */
        EXITS("exits with "),
        /** The block cannot be run in a test. */
        NOT_RUN("not run: "),
        /** The content of the block cannot be compared in a test. */
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
