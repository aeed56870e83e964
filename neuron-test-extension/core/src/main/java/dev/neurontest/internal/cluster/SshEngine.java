package dev.neurontest.internal.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The hosts of a host file, reached by OpenSSH. The user's configuration decides about names, keys and host keys. */
record SshEngine(String source, List<String> hosts) implements HostEngine {

    /**
     * A connection without a terminal and without questions. It ends when the host does not respond for 15 seconds. A master connection
     * would outlive the program, and forwarded ports are free for only one connection.
     */
    private static final List<String> CONNECTION = List.of(
            "ssh",
            "-T",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=10",
            "-o",
            "ServerAliveInterval=5",
            "-o",
            "ServerAliveCountMax=3",
            "-o",
            "ControlMaster=no",
            "-o",
            "ClearAllForwardings=yes",
            "--");

    /** A program that no shell reads as an option, assignment, job or label. */
    private static final Pattern PROGRAM = Pattern.compile("[A-Za-z0-9/.][A-Za-z0-9/._+-]*");

    /** An argument without a character that sh, bash, csh, zsh or fish replaces. Some of them replace a first {@code =} or {@code %}. */
    private static final Pattern ARGUMENT = Pattern.compile("[A-Za-z0-9/._:,+-][A-Za-z0-9/._:,+=@%-]*");

    SshEngine {
        hosts = List.copyOf(hosts);
    }

    @Override
    public String name() {
        return "ssh";
    }

    /** Returns the command. The client joins the words with spaces, and a shell on the host splits them. */
    @Override
    public List<String> command(String host, List<String> words) {
        HostNames.requireOneOf(hosts, host);
        List<String> command = new ArrayList<>(CONNECTION);
        command.add(host);
        for (int index = 0; index < words.size(); index++) {
            String word = words.get(index);
            if (!(index == 0 ? PROGRAM : ARGUMENT).matcher(word).matches()) {
                throw new HostEngineException(
                        ("the word \"%s\" cannot be passed to a host by ssh, because a shell on the host would read it; expected"
                                        + " letters, digits and / . _ - : , +, in arguments also = @ %% after the first character."
                                        + " If the word names a JDK or jar, move it to a path of these characters")
                                .formatted(word));
            }
            command.add(word);
        }
        return command;
    }
}
