package dev.neurontest.device;

import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.host.NoAnswerException;
import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when a file of a Neuron host cannot be read or has unexpected content. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronSysfsException extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final int SHOWN_CONTENT = 200;
    private static final String SILENT = "See what is there (ls -l) and what the kernel reports (dmesg).";

    /** Location of the file. */
    private final String location;

    /** Content of the file, if it could be read. */
    private final @Nullable String content;

    private NeuronSysfsException(String message, String location, @Nullable String content, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
        this.location = location;
        this.content = content;
    }

    /**
     * Creates an exception for a file with unexpected content.
     *
     * @param location location of the file, in the form of {@code HostTree.location(String)}
     * @param content actual content
     * @param expected expected content
     * @return the exception
     */
    public static NeuronSysfsException unexpectedContent(String location, String content, String expected) {
        return new NeuronSysfsException(
                "%s holds %s, expected %s. Read it again (cat %1$s); if it stays like that, report it with the driver version."
                        .formatted(location, quoted(content), expected),
                location,
                content,
                null);
    }

    /**
     * Creates an exception for a file that could not be read.
     *
     * @param location location of the file, in the form of {@code HostTree.location(String)}
     * @param advice advice for the user; replaced if the file did not answer
     * @param cause the error of the host
     * @return the exception
     */
    public static NeuronSysfsException unreadable(String location, String advice, Exception cause) {
        String todo = cause instanceof NoAnswerException ? SILENT : OpenFileLimit.advice(cause, advice);
        return new NeuronSysfsException(
                "%s could not be read: %s. %s".formatted(location, reason(cause), todo), location, null, cause);
    }

    /**
     * Returns the location of the file.
     *
     * @return the location in the form of {@code HostTree.location(String)}
     */
    public String location() {
        return location;
    }

    /**
     * Returns the content of the file.
     *
     * @return the content; null when it could not be read
     */
    public @Nullable String content() {
        return content;
    }

    private static String reason(Exception cause) {
        if (cause instanceof NoAnswerException silent) {
            return silent.reason();
        }
        String kind = cause.getClass().getSimpleName();
        return cause.getMessage() == null ? kind : kind + " " + cause.getMessage();
    }

    /**
     * Returns a file's content in a form for messages. On a host with files from another source than the driver, the content is arbitrary.
     *
     * @param content any text
     * @return its first 200 characters on one line, in quotes and with non-printable characters escaped; {@code nothing} when it
     *     is empty
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static String quoted(String content) {
        if (content.isEmpty()) {
            return "nothing";
        }
        String shown = content.length() <= SHOWN_CONTENT
                ? content
                : content.substring(0, SHOWN_CONTENT) + "... (" + content.length() + " characters)";
        StringBuilder text = new StringBuilder("\"");
        shown.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                default -> {
                    text.append(VisibleText.line(Character.toString(c)));
                }
            }
        });
        return text.append('"').toString();
    }
}
