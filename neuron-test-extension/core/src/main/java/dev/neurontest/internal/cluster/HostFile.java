package dev.neurontest.internal.cluster;

import dev.neurontest.internal.file.FileProblem;
import dev.neurontest.internal.file.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host file of Open MPI ({@code host slots=8 max_slots=8}), of Intel MPI or MPICH ({@code host:8}), or with only names. Slots have no
 * effect, because tests lease cores.
 */
final class HostFile {

    private static final Pattern LINE = Pattern.compile(
            "(?<host>[^\\s:=]+)(?::[1-9][0-9]{0,8})?(?:\\s+(?:max[_-])?slots\\s*=\\s*[1-9][0-9]{0,8}){0,2}");
    private static final String EXPECTED = "expected for example n1, n1 slots=8 or n1:8";
    private static final String ALIAS = "Give the host a name in ~/.ssh/config, with %s, and write that name";

    private HostFile() {}

    /**
     * Reads the hosts.
     *
     * @throws HostEngineException with the file, and the number of the line if there is one
     */
    static List<String> read(Path file) {
        String text;
        try {
            text = InputFile.HOSTS.text(file);
        } catch (IOException unreadable) {
            throw new HostEngineException(
                    "the host file %s cannot be read: %s".formatted(file, FileProblem.of(unreadable)));
        }
        // The names of the file by their form in lower case, which the network does not distinguish.
        Map<String, String> hosts = new LinkedHashMap<>();
        Map<String, Integer> lines = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.split("\r?\n", -1)) {
            number++;
            String words = line.split("#", 2)[0].strip();
            if (words.isEmpty()) {
                continue;
            }
            String host = host(file, number, words);
            String key = host.toLowerCase(Locale.ROOT);
            if (hosts.put(key, host) != null) {
                throw refused(
                        file,
                        number,
                        "the host %s is already in line %s; remove one of the lines".formatted(host, lines.get(key)));
            }
            lines.put(key, number);
            if (hosts.size() > HostNames.MOST) {
                throw refused(file, number, "more than %s hosts are not possible".formatted(HostNames.MOST));
            }
        }
        if (hosts.isEmpty()) {
            throw new HostEngineException("the host file %s names no host; %s".formatted(file, EXPECTED));
        }
        return List.copyOf(hosts.values());
    }

    private static String host(Path file, int number, String words) {
        String shown = HostNames.shown(words);
        String first = words.split("\\s", 2)[0];
        if (first.indexOf('@') >= 0) {
            throw refused(file, number, "%s names a user. ".formatted(shown) + ALIAS.formatted("User"));
        }
        if (first.startsWith("[") || first.indexOf(':') != first.lastIndexOf(':')) {
            throw refused(file, number, "%s is an IPv6 address. ".formatted(shown) + ALIAS.formatted("HostName"));
        }
        Matcher line = LINE.matcher(words);
        if (!line.matches()) {
            throw refused(file, number, "%s is not a host with slots; %s".formatted(shown, EXPECTED));
        }
        String host = line.group("host");
        if (!HostNames.isName(host)) {
            throw refused(
                    file,
                    number,
                    "%s is not the name of a host, expected %s".formatted(HostNames.shown(host), HostNames.RULE));
        }
        return host;
    }

    private static HostEngineException refused(Path file, int number, String problem) {
        return new HostEngineException("line %s of the host file %s: %s".formatted(number, file, problem));
    }
}
