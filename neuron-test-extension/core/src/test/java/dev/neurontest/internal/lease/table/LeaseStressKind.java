package dev.neurontest.internal.lease.table;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A kind of JVM that leases.
 *
 * @param name for a person
 * @param prefix the program that starts it, with its arguments
 * @param java the JVM
 * @param options of the JVM
 * @param mode the additional activity of its threads
 */
record LeaseStressKind(String name, List<String> prefix, String java, List<String> options, Mode mode) {

    /** An activity of the threads of a JVM in addition to leasing. */
    enum Mode {
        PLAIN,
        /** The threads are interrupted while they wait. */
        INTERRUPTS,
        /** Half of the threads belong to another class loader. */
        LOADERS,
        /** A second thread opens, reads and closes all files of the table again and again. */
        READERS
    }

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static final List<String> ANOTHER_USER = List.of("setpriv", "--reuid=65534", "--clear-groups");
    private static final List<String> PID_NAMESPACE =
            List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");

    private static LeaseStressKind of(String name, String... prefix) {
        return new LeaseStressKind(name, List.of(prefix), JAVA, List.of(), Mode.PLAIN);
    }

    /**
     * Returns the kinds for an option of the command line.
     *
     * @param kinds {@code plain}; {@code readers}, which includes JVMs that read the files of the table; or {@code
     * all}, which needs root and the programs of util-linux, coreutils and faketime of Debian
     * @param user of every other JVM of the plain kind; empty for this user
     */
    static List<LeaseStressKind> of(String kinds, String user) {
        LeaseStressKind plain = of("plain");
        if (kinds.equals("readers")) {
            return List.of(
                    plain,
                    new LeaseStressKind("reader", List.of(), JAVA, List.of(), Mode.READERS),
                    new LeaseStressKind("reader in a PID namespace", PID_NAMESPACE, JAVA, List.of(), Mode.READERS));
        }
        if (!kinds.equals("all")) {
            return user.isEmpty()
                    ? List.of(plain)
                    : List.of(of("user " + user, "setpriv", "--reuid=" + user, "--clear-groups"), plain);
        }
        List<LeaseStressKind> all = new ArrayList<>(List.of(
                plain,
                new LeaseStressKind("another user", ANOTHER_USER, JAVA, List.of(), Mode.PLAIN),
                of("closed umask", "sh", "-c", "umask 077; exec \"$@\"", "sh"),
                new LeaseStressKind("PID namespace", PID_NAMESPACE, JAVA, List.of(), Mode.PLAIN),
                new LeaseStressKind(
                        "PID namespace of another user",
                        Stream.of(PID_NAMESPACE, ANOTHER_USER)
                                .flatMap(List::stream)
                                .toList(),
                        JAVA,
                        List.of(),
                        Mode.PLAIN),
                of(
                        "user namespace",
                        "unshare",
                        "--user",
                        "--map-root-user",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "--mount-proc"),
                of(
                        "time namespace",
                        "unshare",
                        "--time",
                        "--boottime",
                        "864000",
                        "--monotonic",
                        "864000",
                        "--fork",
                        "--kill-child"),
                of("few descriptors", "prlimit", "--nofile=160"),
                of("one processor", "taskset", "-c", "0"),
                of("clock of the past", "env", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-f", "-400d"),
                of("clock that runs fast", "env", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-f", "+0 x60"),
                new LeaseStressKind("interpreted", List.of(), JAVA, List.of("-Xint"), Mode.PLAIN),
                new LeaseStressKind("interrupts", List.of(), JAVA, List.of(), Mode.INTERRUPTS),
                new LeaseStressKind("two class loaders", List.of(), JAVA, List.of(), Mode.LOADERS)));
        newerJdk().ifPresent(java -> all.add(new LeaseStressKind("JDK 25", List.of(), java, List.of(), Mode.PLAIN)));
        return all;
    }

    private static Optional<String> newerJdk() {
        return Optional.ofNullable(System.getenv("JAVA_25_HOME"))
                .map(home -> Path.of(home, "bin", "java"))
                .filter(Files::isExecutable)
                .map(Path::toString);
    }

    /** Returns the command line of a JVM of this kind. */
    List<String> command(List<String> mainClassAndArguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(java);
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.addAll(mainClassAndArguments);
        return command;
    }
}
