package dev.neurontest.internal.configuration;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The host that the tests run on, as given by the setting {@code neuron.test.platform}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface PlatformChoice {

    /**
     * Checks whether the host is read by method calls in this JVM, where a write is visible at once.
     *
     * @return false if the host is read through files
     */
    default boolean inProcess() {
        return false;
    }

    /**
     * Checks whether only this JVM can use the host.
     *
     * @return true for a fake host and a recording, which exist only in this JVM
     */
    default boolean ofThisJvm() {
        return false;
    }

    /**
     * Returns the file that lists the hosts of tests over several hosts.
     *
     * @return empty if the allocation decides, or only this machine is used
     */
    default Optional<Path> hostFile() {
        return Optional.empty();
    }

    /** Returns the choice for one host of a test over several hosts, which has no other hosts. A fake is read through files there. */
    default PlatformChoice onEachHost() {
        return this;
    }

    /**
     * The Neuron devices of this machine: {@code auto} or {@code real}, with {@code ?hosts=<file>}.
     *
     * @param required true if tests fail without devices ({@code real}), false if they are skipped ({@code auto})
     * @param hostFile the file that lists the hosts of tests over several hosts
     */
    record Hardware(boolean required, Optional<Path> hostFile) implements PlatformChoice {

        @Override
        public Hardware onEachHost() {
            return new Hardware(required, Optional.empty());
        }

        @Override
        public String toString() {
            String kind = required ? "real" : "auto";
            return hostFile.map(file -> kind + "?hosts=" + file).orElse(kind);
        }
    }

    /**
     * A fake host: {@code fake:[<hosts>x]<instance type>[@<layout>]} with the options {@code view=in-process|directory|fuse}, {@code
     * user=root|ordinary} and {@code hosts=<file>}. Tests over several hosts use {@code hosts} fakes on this machine. Without a number, each
     * host of the allocation has a fake.
     *
     * @param hosts the number of fake hosts on this machine; empty if the allocation decides
     * @param instanceType for example {@code trn1.32xlarge}
     * @param layout for example {@code driver-2.30}; empty for the newest of the instance type
     * @param view the way to read the host, by default {@link View#IN_PROCESS}
     * @param user the simulated user who reads the host in process, by default {@link User#ROOT}
     * @param hostFile the file that lists the hosts of tests over several hosts
     */
    record Fake(
            OptionalInt hosts,
            String instanceType,
            Optional<String> layout,
            View view,
            User user,
            Optional<Path> hostFile)
            implements PlatformChoice {

        /** Returns the same host with another view, for a single host. */
        public Fake withView(View other) {
            return new Fake(hosts, instanceType, layout, other, user, hostFile);
        }

        @Override
        public Fake onEachHost() {
            return new Fake(
                    OptionalInt.empty(),
                    instanceType,
                    layout,
                    view == View.IN_PROCESS ? View.DIRECTORY : view,
                    user,
                    Optional.empty());
        }

        @Override
        public boolean inProcess() {
            return view == View.IN_PROCESS;
        }

        @Override
        public boolean ofThisJvm() {
            return true;
        }

        /** Returns the text of the choice without options that have their default value. */
        @Override
        public String toString() {
            List<String> options = new ArrayList<>();
            if (view != View.IN_PROCESS) {
                options.add("view=" + EnumText.of(view));
            }
            if (user != User.ROOT) {
                options.add("user=" + EnumText.of(user));
            }
            if (hostFile.isPresent()) {
                options.add("hosts=" + hostFile.get());
            }
            return "fake:"
                    + (hosts.isPresent() ? hosts.getAsInt() + "x" : "")
                    + instanceType
                    + (layout.isPresent() ? "@" + layout.get() : "")
                    + (options.isEmpty() ? "" : "?" + String.join("&", options));
        }
    }

    /** The ways to read a fake host. */
    enum View {
        /** Method calls in this JVM. */
        IN_PROCESS,
        /** Real files, as programs in any language read them. */
        DIRECTORY,
        /** A mount that behaves as sysfs, or real files if mounting is impossible. */
        FUSE
    }

    /** The simulated users who read a fake host in process. For files the operating system checks permissions. */
    enum User {
        /** A user who can read every file. */
        ROOT,
        /** A user who cannot read files of mode 0400. */
        ORDINARY
    }

    /**
     * A host with its files below a given directory: {@code root:<directory>}.
     *
     * @param directory the directory that contains {@code sys/devices/virtual/neuron_device}
     */
    record Root(Path directory) implements PlatformChoice {

        @Override
        public String toString() {
            return "root:" + directory;
        }
    }

    /**
     * A recording of a host: {@code replay:<file>[?timeline=play|static]}.
     *
     * @param file the recording
     * @param timeline the treatment of the recorded changes, by default {@link Timeline#PLAY}
     */
    record Replay(Path file, Timeline timeline) implements PlatformChoice {

        @Override
        public boolean inProcess() {
            return true;
        }

        @Override
        public boolean ofThisJvm() {
            return true;
        }

        @Override
        public String toString() {
            return "replay:" + file + (timeline == Timeline.PLAY ? "?timeline=play" : "?timeline=static");
        }
    }

    /** The treatments of recorded changes. */
    enum Timeline {
        /** Recorded changes are repeated while the same test runs. */
        PLAY,
        /** The host stays as it was at the beginning of the recording. */
        STATIC
    }

    /** The accepted texts, for messages and documentation. */
    String EXPECTED = "auto[?hosts=<file>], real[?hosts=<file>], fake:[<hosts>x]<instance type>[@<layout>]"
            + "[?view=in-process|directory|fuse&user=root|ordinary&hosts=<file>],"
            + " root:<directory> or replay:<file>[?timeline=play|static]";

    /** The maximum number of fake hosts on this machine. */
    int MOST_HOSTS = 64;

    /** A number of fake hosts and the rest. No instance type begins with digits and an x. */
    Pattern HOSTS = Pattern.compile("([0-9]+)[xX](.*)", Pattern.DOTALL);

    /**
     * Parses a choice. Whether the host exists is checked later.
     *
     * @param text as in {@link #EXPECTED}
     * @throws IllegalArgumentException if a part of the text is invalid; the message names the part
     */
    static PlatformChoice parse(String text) {
        String kind = text.split("[:?]", 2)[0];
        String rest = text.substring(kind.length());
        String argument = rest.startsWith(":") ? rest.substring(1) : rest;
        return switch (kind.toLowerCase(Locale.ROOT)) {
            case "auto" -> hardware(false, kind, rest);
            case "real" -> hardware(true, kind, rest);
            case "fake" -> fake(argument);
            case "root" -> new Root(path(argument, "directory", "root:"));
            case "replay" -> replay(argument);
            default -> throw EnumText.unknown("platform", kind, List.of("auto", "real", "fake", "root", "replay"));
        };
    }

    private static Hardware hardware(boolean required, String kind, String rest) {
        if (rest.startsWith(":")) {
            throw new IllegalArgumentException("only ?hosts=<file> is allowed after " + kind);
        }
        return new Hardware(required, hostFile(options(rest.isEmpty() ? "" : rest.substring(1), "hosts")));
    }

    private static Optional<Path> hostFile(Map<String, String> options) {
        @Nullable String file = options.get("hosts");
        return file == null ? Optional.empty() : Optional.of(path(file, "file", "hosts="));
    }

    /** Parses a replay choice. The options begin after the last question mark, because a file name may contain question marks. */
    private static Replay replay(String argument) {
        int question = argument.lastIndexOf('?');
        Map<String, String> options = options(question < 0 ? "" : argument.substring(question + 1), "timeline");
        return new Replay(
                path(question < 0 ? argument : argument.substring(0, question), "file", "replay:"),
                option(options, "timeline", Timeline.PLAY));
    }

    private static Fake fake(String argument) {
        int question = argument.indexOf('?');
        String host = question < 0 ? argument : argument.substring(0, question);
        Map<String, String> options =
                options(question < 0 ? "" : argument.substring(question + 1), "view", "user", "hosts");
        Optional<Path> hostFile = hostFile(options);
        OptionalInt hosts = OptionalInt.empty();
        String before = "fake:";
        Matcher several = HOSTS.matcher(host);
        if (several.matches()) {
            hosts = OptionalInt.of(hosts(several.group(1)));
            before = "fake:" + several.group(1) + "x";
            host = several.group(2);
        }
        int at = host.indexOf('@');
        String instanceType = at < 0 ? host : host.substring(0, at);
        if (instanceType.isBlank()) {
            throw new IllegalArgumentException(
                    "no instance type after %s, write for example %strn1.2xlarge".formatted(before, before));
        }
        Optional<String> layout = at < 0 ? Optional.empty() : Optional.of(host.substring(at + 1));
        if (layout.isPresent() && layout.get().isBlank()) {
            throw new IllegalArgumentException("no layout after @, write for example @driver-2.30 or remove the @");
        }
        if (hosts.isPresent() && hostFile.isPresent()) {
            throw new IllegalArgumentException(
                    "%s means fake hosts on this machine, so hosts=%s has no effect; remove one of them"
                            .formatted(before, hostFile.get()));
        }
        return new Fake(
                hosts,
                instanceType,
                layout,
                option(options, "view", View.IN_PROCESS),
                option(options, "user", User.ROOT),
                hostFile);
    }

    private static int hosts(String number) {
        String digits = number.replaceFirst("^0+(?=.)", "");
        if (digits.length() > 2 || Integer.parseInt(digits) < 1 || Integer.parseInt(digits) > MOST_HOSTS) {
            throw new IllegalArgumentException(
                    "%s hosts are not possible, expected 1 to %s".formatted(number, MOST_HOSTS));
        }
        return Integer.parseInt(digits);
    }

    private static Map<String, String> options(String text, String... known) {
        Map<String, String> options = new HashMap<>();
        for (String option : text.isEmpty() ? new String[0] : text.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (!List.of(known).contains(name)) {
                throw EnumText.unknown("option", name, List.of(known));
            }
            if (options.put(name, equals < 0 ? "" : option.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("the option " + name + " occurs twice");
            }
        }
        return options;
    }

    private static <E extends Enum<E>> E option(Map<String, String> options, String name, E byDefault) {
        String text = options.get(name);
        return text == null ? byDefault : EnumText.parse(name, text, byDefault.getDeclaringClass());
    }

    private static Path path(String text, String what, String after) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("no " + what + " after " + after);
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("the " + what + " is not a path: " + e.getReason(), e);
        }
    }
}
