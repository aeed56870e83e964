package dev.neurontest.process;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks tokens that are known by their shape, whatever stands before them. The part that says whose token it is stays:
 * {@code ghp_***}. No pattern reads a character twice: what a token may hold is taken whole or not at all.
 */
final class TokenShapes {

    /** What the fast look at a line searches for, in small letters. */
    static final List<String> TRACES = List.of(
            "ghp_",
            "gho_",
            "ghu_",
            "ghs_",
            "ghr_",
            "github_pat_",
            "glpat-",
            "akia",
            "asia",
            "xox",
            "eyj",
            "aiza",
            "npm_",
            "hf_",
            "sk-",
            "basic ");

    private static final Pattern TOKEN = Pattern.compile("(?:(?<![A-Za-z0-9-])|(?<=\\\\[nrt]))(?:"
            + "gh[pousr]_[A-Za-z0-9]{20,}+"
            + "|github_pat_\\w{20,}+"
            + "|glpat-[\\w.-]{16,}+"
            + "|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
            + "|xox[a-z]-[A-Za-z0-9-]{10,}+"
            + "|AIza[\\w-]{30,}+"
            + "|(?:npm_|hf_)[A-Za-z0-9]{30,}+"
            + "|sk-(?=[a-z-]{0,20}[A-Za-z0-9]{16})[\\w-]{20,}+)");
    /** All of it up to the end is one token, however many parts it has. */
    private static final Pattern JWT =
            Pattern.compile("(?:(?<![\\w-])|(?<=\\\\[nrt]))eyJ[\\w-]{8,}+\\.eyJ[\\w-]{4,}+(?:\\.[\\w-]*+){0,3}+");

    private static final Pattern BASIC = Pattern.compile("\\b([Bb]asic[ \\t]{1,4})([A-Za-z0-9+/]{6,}+={0,2}+)");

    private TokenShapes() {}

    static String mask(String line) {
        String masked = JWT.matcher(line).replaceAll("eyJ" + Redaction.MASK);
        masked = TOKEN.matcher(masked).replaceAll(token -> prefix(token.group()) + Redaction.MASK);
        return BASIC.matcher(masked)
                .replaceAll(basic -> isUserAndPassword(basic.group(2))
                        ? Matcher.quoteReplacement(basic.group(1) + Redaction.MASK)
                        : Matcher.quoteReplacement(basic.group()));
    }

    private static String prefix(String token) {
        if (token.startsWith("A")) {
            return token.substring(0, 4);
        }
        if (token.startsWith("github_pat_")) {
            return "github_pat_";
        }
        int underscore = token.indexOf('_');
        int hyphen = token.indexOf('-');
        int end = underscore < 0 || hyphen >= 0 && hyphen < underscore ? hyphen : underscore;
        return token.substring(0, end + 1);
    }

    /** The word "Basic" has other uses. */
    private static boolean isUserAndPassword(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(':') > 0;
        } catch (IllegalArgumentException noBase64) {
            return false;
        }
    }
}
