package dev.neurontest.internal.print;

import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.print.DevicePrint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.apiguardian.api.API;

/** Names of prints in messages and in file names. A prefix is arbitrary output of a kernel and is therefore untrusted. */
@API(status = API.Status.INTERNAL)
public final class PrintNames {

    private static final int LONGEST_FILE = 60;
    private static final int LONGEST_LABEL = 120;
    private static final int HASH_DIGITS = 8;

    private PrintNames() {}

    /** Formats a prefix in quotes and on one line. */
    public static String quoted(String prefix) {
        StringBuilder text = new StringBuilder("\"");
        prefix.codePoints().limit(LONGEST_LABEL).forEach(point -> {
            if (point == '"' || point == '\\') {
                text.append('\\').appendCodePoint(point);
            } else {
                text.append(VisibleText.line(Character.toString(point)));
            }
        });
        return text.append(prefix.codePointCount(0, prefix.length()) > LONGEST_LABEL ? "...\"" : "\"")
                .toString();
    }

    public static String label(DevicePrint print) {
        return "print %s %s%s".formatted(print.order(), quoted(print.prefix()), by(print));
    }

    /** Returns the program of a print in parentheses; empty on one host. */
    static String by(DevicePrint print) {
        return print.source().map(" (%s)"::formatted).orElse("");
    }

    /** Creates a name that is unique for each order of arrival. If the prefix had to be changed, digits of its hash are appended. */
    static String file(DevicePrint print) {
        String prefix = print.prefix();
        String safe = prefix.replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^\\.+", "_");
        safe = safe.substring(0, Math.min(safe.length(), LONGEST_FILE));
        boolean kept = safe.equals(prefix) && !safe.isEmpty();
        return String.format(
                Locale.ROOT,
                "-%04d-%s%s.npy",
                print.order(),
                kept ? safe : safe + (safe.isEmpty() ? "" : "-") + hash(prefix),
                print.abbreviation().isPresent() ? "-abbreviated" : "");
    }

    private static String hash(String prefix) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(prefix.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
