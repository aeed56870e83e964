package dev.neurontest.internal.configuration;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** Which host the tests are to run on, as the setting {@code neuron.test.platform} says it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface PlatformChoice {

    /**
     * Whether the host is read by method calls in this JVM, where what was written is visible at once.
     *
     * @return false when it is read through files
     */
    default boolean inProcess() {
        return false;
    }

    /**
     * Whether this JVM alone can use the host.
     *
     * @return true for a fake host and a recording, which the JVM shows to itself
     */
    default boolean ofThisJvm() {
        return false;
    }

    /**
     * The Neuron devices of this machine: {@code auto} or {@code real}.
     *
     * @param required whether tests fail without them ({@code real}) or are skipped ({@code auto})
     */
    record Hardware(boolean required) implements PlatformChoice {

        @Override
        public String toString() {
            return required ? "real" : "auto";
        }
    }

    /**
     * A fake host: {@code fake:<instance type>[@<layout>][?view=in-process|directory|fuse&user=root|ordinary]}.
     *
     * @param instanceType such as {@code trn1.32xlarge}
     * @param layout such as {@code driver-2.30}; empty for the newest
     * @param view how it is read; {@link View#IN_PROCESS} unless said
     * @param user who reads it in process; {@link User#ROOT} unless said
     */
    record Fake(String instanceType, Optional<String> layout, View view, User user) implements PlatformChoice {

        @Override
        public boolean inProcess() {
            return view == View.IN_PROCESS;
        }

        @Override
        public boolean ofThisJvm() {
            return true;
        }

        /** Without what is so unless said. */
        @Override
        public String toString() {
            String where = "fake:" + instanceType + (layout.isPresent() ? "@" + layout.get() : "");
            String read = view == View.IN_PROCESS ? where : where + "?view=" + EnumText.of(view);
            return user == User.ROOT ? read : read + (read.contains("?") ? "&" : "?") + "user=" + EnumText.of(user);
        }
    }

    /** How a fake host is read. */
    enum View {
        /** By method calls in this JVM. */
        IN_PROCESS,
        /** Through real files, as programs in any language read them. */
        DIRECTORY,
        /** Through a mount that behaves as sysfs; through real files where there can be none. */
        FUSE
    }

    /** Who reads a fake host in process. On files the operating system decides what may be read. */
    enum User {
        /** Every file can be read. */
        ROOT,
        /** Files of mode 0400 cannot. */
        ORDINARY
    }

    /**
     * A host whose files are below some directory: {@code root:<directory>}.
     *
     * @param directory holds {@code sys/devices/virtual/neuron_device}
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
     * @param timeline what becomes of the changes in it; {@link Timeline#PLAY} unless said
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

    /** What becomes of the changes that a recording has. */
    enum Timeline {
        /** They happen again, while the test runs that they belong to. */
        PLAY,
        /** The host stays as it was at the beginning of the recording. */
        STATIC
    }

    /** What can be written, for messages and documentation. */
    String EXPECTED = "auto, real, fake:<instance type>[@<layout>][?view=in-process|directory|fuse&user=root|ordinary],"
            + " root:<directory> or replay:<file>[?timeline=play|static]";

    /**
     * Reads a choice.
     *
     * @param text as in {@link #EXPECTED}
     * @return the choice; whether such a host exists is found out later
     * @throws IllegalArgumentException naming the part that cannot be understood
     */
    static PlatformChoice parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String rest = colon < 0 ? "" : text.substring(colon + 1);
        return switch (kind.toLowerCase(Locale.ROOT)) {
            case "auto" -> hardware(false, text, colon);
            case "real" -> hardware(true, text, colon);
            case "fake" -> fake(rest);
            case "root" -> new Root(path(rest, "directory", "root:"));
            case "replay" -> replay(rest);
            default -> throw EnumText.unknown("platform", kind, List.of("auto", "real", "fake", "root", "replay"));
        };
    }

    private static Hardware hardware(boolean required, String text, int colon) {
        if (colon >= 0) {
            throw new IllegalArgumentException("nothing may follow " + text.substring(0, colon));
        }
        return new Hardware(required);
    }

    /** The options are behind the last question mark, because the name of a file may have others. */
    private static Replay replay(String rest) {
        int question = rest.lastIndexOf('?');
        Map<String, String> options = options(question < 0 ? "" : rest.substring(question + 1), "timeline");
        return new Replay(
                path(question < 0 ? rest : rest.substring(0, question), "file", "replay:"),
                option(options, "timeline", Timeline.PLAY, Timeline.values()));
    }

    private static Fake fake(String rest) {
        int question = rest.indexOf('?');
        String host = question < 0 ? rest : rest.substring(0, question);
        Map<String, String> options = options(question < 0 ? "" : rest.substring(question + 1), "view", "user");
        int at = host.indexOf('@');
        String instanceType = at < 0 ? host : host.substring(0, at);
        if (instanceType.isBlank()) {
            throw new IllegalArgumentException("no instance type after fake:, write for example fake:trn1.2xlarge");
        }
        Optional<String> layout = at < 0 ? Optional.empty() : Optional.of(host.substring(at + 1));
        if (layout.filter(String::isBlank).isPresent()) {
            throw new IllegalArgumentException("no layout after @, write for example @driver-2.30 or leave the @ away");
        }
        return new Fake(
                instanceType,
                layout,
                option(options, "view", View.IN_PROCESS, View.values()),
                option(options, "user", User.ROOT, User.values()));
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
                throw new IllegalArgumentException("the option " + name + " is there twice");
            }
        }
        return options;
    }

    private static <E extends Enum<E>> E option(Map<String, String> options, String name, E byDefault, E[] values) {
        String text = options.get(name);
        return text == null ? byDefault : EnumText.parse(name, text, values);
    }

    private static Path path(String text, String what, String after) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("no " + what + " after " + after);
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("the " + what + " is no path: " + e.getReason(), e);
        }
    }
}
