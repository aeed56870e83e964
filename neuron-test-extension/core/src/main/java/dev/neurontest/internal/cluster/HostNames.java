package dev.neurontest.internal.cluster;

import dev.neurontest.internal.text.VisibleText;
import java.util.List;
import java.util.regex.Pattern;

/** The rules for names of hosts. Every engine passes a name as an argument, so it must not look like an option. */
final class HostNames {

    /** The maximum number of hosts of an engine. */
    static final int MOST = 1024;

    /** The rule in words, to follow "expected". */
    static final String RULE =
            "a name of letters, digits, dots, underscores and hyphens that begins with a letter or a digit";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");
    private static final int SHOWN = 80;

    private HostNames() {}

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns a text for messages, without the end of a long one. */
    static String shown(String text) {
        return VisibleText.line(text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text);
    }

    static void requireOneOf(List<String> hosts, String host) {
        if (!hosts.contains(host)) {
            throw new IllegalArgumentException("%s is none of the hosts %s".formatted(host, hosts));
        }
    }
}
