package dev.neurontest.device;

import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.host.NoAnswerException;
import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A file of a Neuron host that could not be read, or whose content makes no sense. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronSysfsException extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final int SHOWN_CONTENT = 200;
    private static final String SILENT = "See what stands there (ls -l) and what the kernel says (dmesg).";

    /** Where the file is. */
    private final String location;

    /** What it held, if it could be read. */
    private final @Nullable String content;

    private NeuronSysfsException(String message, String location, @Nullable String content, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
        this.location = location;
        this.content = content;
    }

    /**
     * A file whose content is not what the driver prints there.
     *
     * @param location where it was read, as {@link HostTree#location(String)} names it
     * @param content what it held
     * @param expected what the driver prints there
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
     * A file that could not be read at all.
     *
     * @param location where it should have been, as {@link HostTree#location(String)} names it
     * @param advice what to do about it, unless it did not answer
     * @param cause what the host answered
     * @return the exception
     */
    public static NeuronSysfsException unreadable(String location, String advice, Exception cause) {
        String todo = cause instanceof NoAnswerException ? SILENT : OpenFileLimit.advice(cause, advice);
        return new NeuronSysfsException(
                "%s could not be read: %s. %s".formatted(location, reason(cause), todo), location, null, cause);
    }

    /**
     * Where the file is.
     *
     * @return as {@link HostTree#location(String)} names it
     */
    public String location() {
        return location;
    }

    /**
     * What the file held.
     *
     * @return null when it could not be read
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
     * What a message shows of a file's content, which may be anything on a host that is none of the driver's.
     *
     * @param content any
     * @return its first 200 characters on one line, in quotes and with escapes for what is no plain text; {@code nothing} when it is empty
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
