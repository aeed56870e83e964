package dev.neurontest.internal.process;

import dev.neurontest.internal.text.TerminalText;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A filter that masks secrets line by line. A secret might continue over several lines: a private key, a secret value in brackets, or an
 * indented value. The lines of such a secret are removed. After a maximum number of lines the secret counts as ended, to keep the
 * rest of a log. A cut line might have lost the end of the secret.
 */
final class LineRedaction {

    /** Maximum number of lines of a secret. The largest keys in use have about 200 lines. */
    static final int LINES_OF_A_SECRET = 500;

    private static final String KEY_BEGIN =
            "(-{4,5} ?)BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-Lines: [0-9]{1,4}(?=\\s*+$)";
    private static final String PUTTY_END = "Private-MAC";
    private static final String BLOCK = "( *+)(?:- )?+[\"']?+([\\w.-]++)[\"']?+:[ \\t]++[|>][+-]?+\\s*+";

    private final int linesOfASecret;
    private @Nullable NamedValues values;
    private @Nullable Rest remainder;
    private int lines;

    /** The rest of a secret that continues in later lines. */
    interface Rest {

        int GOES_ON = -1;

        /** Returns the position of the end of the secret in a line, or {@link #GOES_ON}. */
        int end(String line);
    }

    LineRedaction(int linesOfASecret) {
        this.linesOfASecret = linesOfASecret;
    }

    /**
     * Masks the next line.
     *
     * @param line with its line end, if it has one
     * @return the masked line; a line with a secret loses its colours
     */
    String mask(String line) {
        String plain = TerminalText.withoutSequences(line);
        String masked = maskPlain(plain);
        return masked.equals(plain) ? line : masked;
    }

    private String maskPlain(String line) {
        int start = 0;
        if (remainder != null && ++lines <= linesOfASecret) {
            start = remainder.end(line);
            if (start == Rest.GOES_ON) {
                return "";
            }
        }
        remainder = null;
        lines = 0;
        return maskValues(Redaction.maskTokens(withoutKeys(line.substring(start))));
    }

    private String maskValues(String line) {
        boolean isOpen = values != null && values.isOpen();
        if (!isOpen && !Redaction.mayNameSecret(line)) {
            return line;
        }
        Matcher block = Redaction.pattern(BLOCK).matcher(line);
        if (block.matches() && SecretNames.secretsOf(block.group(2)) != SecretNames.NEVER) {
            int indent = block.group(1).length();
            remainder = next -> isBlank(next, 0) || indent(next) > indent ? Rest.GOES_ON : 0;
            return line.substring(0, block.end(2)) + ": " + Redaction.MASK + "\n";
        }
        // Created late, because its patterns would slow down the first test of a JVM without secrets.
        NamedValues values = this.values == null ? new NamedValues() : this.values;
        this.values = values;
        String masked = values.mask(line);
        remainder = values.rest() == null ? remainder : values.rest();
        return masked;
    }

    private static boolean isBlank(String line, int from) {
        int at = from;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at == line.length();
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }

    /** Masks private keys. A key with other text after its first line, such as in JSON, has no further lines. */
    private String withoutKeys(String line) {
        if (!line.contains("BEGIN ") && !line.startsWith("Private-Lines")) {
            return line;
        }
        StringBuilder masked = new StringBuilder(line.length());
        Matcher begin = Redaction.pattern(KEY_BEGIN).matcher(line);
        Set<String> missing = new HashSet<>();
        int at = 0;
        while (begin.find(at)) {
            masked.append(line, at, begin.end()).append(Redaction.MASK);
            at = begin.end();
            String end = begin.group(1) == null ? PUTTY_END : begin.group(1) + "END";
            if (isBlank(line, at)) {
                remainder = next -> next.indexOf(end);
                return masked.toString();
            }
            // An end that was not found once is not in later parts of the line.
            int inLine = missing.contains(end) ? -1 : line.indexOf(end, at);
            if (inLine < 0) {
                missing.add(end);
            }
            at = inLine >= 0 ? inLine : Redaction.bareEnd(line, at, "\"\n");
        }
        return masked.append(line, at, line.length()).toString();
    }
}
