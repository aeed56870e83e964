package dev.neurontest.internal.archive;

import dev.neurontest.internal.host.NoAnswerException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The archive's words for the reasons of unreadable files. */
final class ReadFailure {

    static final String DENIED = "EACCES";
    static final String ABSENT = "ENOENT";
    static final String TOO_LARGE = "too-large";

    private static final String TIMEOUT = "timeout";
    private static final String UNKNOWN = "unknown";

    /** Error name at the end of a message of a fake. A path may contain such a word, too. */
    private static final Pattern NAME_AT_END = Pattern.compile("\\((E[A-Z0-9]+)\\)$");

    /** Error names by messages of the C library. Java provides no error numbers, only these messages, at the end of its own. */
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("Permission denied", DENIED),
            Map.entry("Operation not permitted", "EPERM"),
            Map.entry("Resource temporarily unavailable", "EAGAIN"),
            Map.entry("Device or resource busy", "EBUSY"),
            Map.entry("Interrupted system call", "EINTR"),
            Map.entry("Invalid argument", "EINVAL"),
            Map.entry("Input/output error", "EIO"),
            Map.entry("Is a directory", "EISDIR"),
            Map.entry("No such device or address", "ENXIO"),
            Map.entry("No such device", "ENODEV"),
            Map.entry("No such file or directory", ABSENT),
            Map.entry("Cannot allocate memory", "ENOMEM"),
            Map.entry("Not a directory", "ENOTDIR"),
            Map.entry("Too many levels of symbolic links", "ELOOP"),
            Map.entry("Connection timed out", "ETIMEDOUT"));

    private ReadFailure() {}

    static String of(IOException failure) {
        if (failure instanceof NoAnswerException) {
            return TIMEOUT;
        }
        if (failure instanceof NoSuchFileException) {
            return ABSENT;
        }
        if (failure instanceof AccessDeniedException) {
            return DENIED;
        }
        String message = String.valueOf(failure.getMessage());
        Matcher name = NAME_AT_END.matcher(message);
        return name.find()
                ? name.group(1)
                : WORDS.entrySet().stream()
                        .filter(words -> message.endsWith(words.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(UNKNOWN);
    }
}
