package dev.neurontest.process;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Masks what certain programs take for a password although its option does not say so, such as {@code curl -u user:password}. An
 * option means this for one program only: {@code ssh -p} is a port. It is told the words of a command in their order.
 */
final class ProgramArguments {

    /** What comes after a word. */
    private enum Next {
        ANYTHING,
        PASSWORD,
        USER_AND_PASSWORD
    }

    /** Programs that take a password after an option of one letter, most of them only to log in. */
    private static final Map<String, String> PASSWORD = Map.ofEntries(
            entry("sshpass", "-p"),
            entry("redis-cli", "-a"),
            entry("ldapsearch", "-w"),
            entry("ldapmodify", "-w"),
            entry("twine", "-p"),
            entry("sqlcmd", "-P"),
            entry("ssh-keygen", "-N"),
            entry("mongosh", "-p"),
            entry("mongodump", "-p"),
            entry("docker login", "-p"),
            entry("podman login", "-p"),
            entry("nerdctl login", "-p"),
            entry("helm login", "-p"),
            entry("oras login", "-p"),
            entry("skopeo login", "-p"),
            entry("buildah login", "-p"),
            entry("az login", "-p"));

    private static final Set<String> MYSQL = Set.of("mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump");
    /** Programs that take a token as the word after "login". */
    private static final Set<String> TOKEN = Set.of("wandb", "vault");

    private static final Pattern LIKE_TOKEN = Pattern.compile("[\\w.-]{20,}+");
    private static final Set<String> PROGRAMS = Stream.of(
                    Stream.of("curl"), MYSQL.stream(), TOKEN.stream(), PASSWORD.keySet().stream())
            .flatMap(names -> names)
            .map(name -> name.replace(" login", ""))
            .collect(Collectors.toUnmodifiableSet());
    private static final Set<String> CURL_LONG = Set.of("--user", "--proxy-user");
    private static final Pattern CURL_SHORT = Pattern.compile("-[A-Za-z#]{0,12}[uU]");
    /** What the fast look at a line searches for. */
    private static final List<String> TRACES = List.of(
            "curl",
            "sshpass",
            "redis-cli",
            "ldap",
            "twine",
            "sqlcmd",
            "mongosh",
            "mongodump",
            "ssh-keygen",
            "login",
            "mysql",
            "mariadb");

    private static final String BETWEEN = " \t\r\n,\"'[]()|;&\\`";

    private String program = "";
    private Next next = Next.ANYTHING;

    static boolean mayBeIn(String text) {
        for (String trace : TRACES) {
            if (text.contains(trace)) {
                return true;
            }
        }
        return false;
    }

    /** Masks the commands in a line. */
    static String mask(String line) {
        if (!mayBeIn(line)) {
            return line;
        }
        StringBuilder masked = new StringBuilder(line.length());
        ProgramArguments arguments = new ProgramArguments();
        int done = 0;
        for (int at = 0; at < line.length(); ) {
            char first = line.charAt(at);
            if (BETWEEN.indexOf(first) >= 0) {
                if ("|;&`".indexOf(first) >= 0) {
                    arguments = new ProgramArguments();
                }
                at++;
                continue;
            }
            int end = end(line, at, arguments.next != Next.ANYTHING);
            masked.append(line, done, at).append(arguments.masked(line.substring(at, end)));
            at = end;
            done = end;
        }
        return masked.append(line, done, line.length()).toString();
    }

    /** A value may have blanks in its quotes, and in itself what ends a command elsewhere. */
    private static int end(String line, int start, boolean value) {
        if (value && start > 0 && "\"'".indexOf(line.charAt(start - 1)) >= 0) {
            boolean escaped = start > 1 && line.charAt(start - 2) == '\\';
            return Redaction.quotedEnd(line, start, line.substring(escaped ? start - 2 : start - 1, start));
        }
        String ends = value ? " \t\r\n\"',]" : BETWEEN;
        int end = start;
        while (end < line.length() && ends.indexOf(line.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /** The next word of a command, masked where the words before say so. */
    String masked(String word) {
        Next is = next;
        next = Next.ANYTHING;
        if (is == Next.PASSWORD) {
            program = program.equals("sshpass") ? "" : program;
            return Redaction.MASK;
        }
        if (is == Next.USER_AND_PASSWORD) {
            return withoutPassword(word, 0);
        }
        String name = word.substring(word.lastIndexOf('/') + 1);
        if (PROGRAMS.contains(name)) {
            program = name;
            return word;
        }
        return program.isEmpty() ? word : option(word);
    }

    private String option(String word) {
        if (program.equals("curl")) {
            return curl(word);
        }
        if (MYSQL.contains(program)) {
            return attached(word, "-p");
        }
        if (word.equals("login") && (TOKEN.contains(program) || PASSWORD.containsKey(program + " login"))) {
            program += " login";
            return word;
        }
        if (program.endsWith(" login") && TOKEN.contains(program.replace(" login", ""))) {
            return LIKE_TOKEN.matcher(word).matches() && word.charAt(0) != '-' ? Redaction.MASK : word;
        }
        String option = PASSWORD.get(program);
        next = word.equals(option) ? Next.PASSWORD : Next.ANYTHING;
        return option == null ? word : attached(word, option);
    }

    private String curl(String word) {
        if (CURL_LONG.contains(word) || CURL_SHORT.matcher(word).matches()) {
            next = Next.USER_AND_PASSWORD;
            return word;
        }
        int equals = word.indexOf('=');
        if (equals > 0 && CURL_LONG.contains(word.substring(0, equals))) {
            return withoutPassword(word, equals);
        }
        return word.startsWith("-u") || word.startsWith("-U") ? withoutPassword(word, 0) : word;
    }

    private static String attached(String word, String option) {
        return word.length() > option.length() && word.startsWith(option) ? option + Redaction.MASK : word;
    }

    private static String withoutPassword(String userAndPassword, int from) {
        int colon = userAndPassword.indexOf(':', from);
        return colon < 0 || colon == userAndPassword.length() - 1
                ? userAndPassword
                : userAndPassword.substring(0, colon + 1) + Redaction.MASK;
    }
}
