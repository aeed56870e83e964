package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.host.DeviceNumber;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostDirectory;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The calls for the files of a host. Paths are relative to its root; the content of a file is a text of bytes. */
final class FileCalls {

    /** Time for reading many files. A host waits about a second for each file that does not respond, at most 64 of them. */
    private static final Duration MANY_FILES = Duration.ofMinutes(2);

    private FileCalls() {}

    /** The content of a file, each byte as the character of its number. */
    record Content(String bytes) {

        static Content of(byte[] bytes) {
            return new Content(new String(bytes, StandardCharsets.ISO_8859_1));
        }

        byte[] toBytes() {
            return bytes.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /** Reads a file. */
    record ReadFile(String path, Optional<Duration> atMost) implements Call<Content> {

        @Override
        public Class<Content> answer() {
            return Content.class;
        }

        @Override
        public Content on(HostAgent agent) throws IOException {
            HostTree tree = agent.tree();
            return Content.of(atMost.isPresent() ? tree.read(path, atMost.get()) : tree.read(path));
        }
    }

    /** Writes to an existing file. */
    record WriteFile(String path, String bytes) implements Call<Call.Done> {

        @Override
        public Class<Done> answer() {
            return Done.class;
        }

        @Override
        public Done on(HostAgent agent) throws IOException {
            agent.tree().write(path, new Content(bytes).toBytes());
            return new Done();
        }
    }

    record Names(List<String> names) {}

    /** Lists a directory. */
    record ListNames(String directory) implements Call<Names> {

        @Override
        public Class<Names> answer() {
            return Names.class;
        }

        @Override
        public Names on(HostAgent agent) throws IOException {
            return new Names(agent.tree().list(directory));
        }
    }

    /**
     * The names below a directory.
     *
     * @param directories the names in each directory
     * @param kinds the kind of each entry
     */
    record Walked(Map<String, List<String>> directories, Map<String, EntryKind> kinds) {}

    /** Lists directories with all below them. Directories that cannot be listed are left out. Links are not followed. */
    record WalkDirectories(List<String> directories) implements Call<Walked> {

        private static final int DEEPEST = 12;
        private static final int MOST = 50_000;

        @Override
        public Class<Walked> answer() {
            return Walked.class;
        }

        @Override
        public Walked on(HostAgent agent) {
            Walked walked = new Walked(new HashMap<>(), new HashMap<>());
            for (String directory : directories) {
                try (HostDirectory opened = agent.tree().open(directory)) {
                    enter(opened, directory, 0, walked);
                } catch (IOException unlisted) {
                    // The directory is left out.
                }
            }
            return walked;
        }

        private static void enter(HostDirectory directory, String path, int depth, Walked walked) throws IOException {
            List<String> names = directory.names();
            walked.directories.put(path, names);
            for (String name : names) {
                String entry = path + "/" + name;
                Optional<EntryKind> kind = directory.kind(name);
                kind.ifPresent(known -> walked.kinds.put(entry, known));
                if (kind.equals(Optional.of(EntryKind.DIRECTORY)) && depth < DEEPEST && walked.kinds.size() < MOST) {
                    try (HostDirectory opened = directory.open(name)) {
                        enter(opened, entry, depth + 1, walked);
                    } catch (IOException unlisted) {
                        // The directory is left out.
                    }
                }
            }
        }
    }

    /** Reads the targets of all links in a directory. */
    record ReadLinks(String directory) implements Call<Names> {

        @Override
        public Class<Names> answer() {
            return Names.class;
        }

        @Override
        public Names on(HostAgent agent) {
            return new Names(agent.tree().linkTargets(directory));
        }
    }

    /** The attributes of the entry at a path, as {@link HostTree} describes them. */
    record Attributes(
            boolean exists,
            Optional<Integer> mode,
            Optional<String> linkTarget,
            Optional<String> identity,
            Optional<EntryKind> kind,
            Optional<DeviceNumber> deviceNumber) {

        static Attributes of(HostTree tree, String path) {
            OptionalInt mode = tree.mode(path);
            return new Attributes(
                    tree.exists(path),
                    mode.isPresent() ? Optional.of(mode.getAsInt()) : Optional.empty(),
                    tree.linkTarget(path),
                    tree.identity(path),
                    tree.kind(path),
                    tree.deviceNumber(path));
        }

        OptionalInt modeBits() {
            return mode.map(OptionalInt::of).orElseGet(OptionalInt::empty);
        }
    }

    /** Reads the attributes of the entry at a path. */
    record ReadAttributes(String path) implements Call<Attributes> {

        @Override
        public Class<Attributes> answer() {
            return Attributes.class;
        }

        @Override
        public Attributes on(HostAgent agent) {
            return Attributes.of(agent.tree(), path);
        }
    }

    /**
     * An entry of a host.
     *
     * @param names the names in a directory; empty for another entry, or if it cannot be listed
     * @param attributes the attributes of another entry
     * @param content the content of a file; empty for another entry, or if it cannot be read
     */
    record Entry(Optional<List<String>> names, Optional<Attributes> attributes, Optional<String> content) {}

    /** The entries at requested paths, in their order. */
    record Entries(List<Entry> entries) {}

    /** Lists directories, and then reads the attributes of other entries and the content of files. */
    record ReadEntries(List<String> directories, List<String> paths) implements Call<Entries> {

        @Override
        public Class<Entries> answer() {
            return Entries.class;
        }

        @Override
        public Duration answersWithin() {
            return MANY_FILES;
        }

        @Override
        public Entries on(HostAgent agent) {
            HostTree tree = agent.tree();
            List<Entry> entries = new ArrayList<>();
            for (String directory : directories) {
                entries.add(new Entry(names(tree, directory), Optional.empty(), Optional.empty()));
            }
            Map<String, Attributes> attributes = new LinkedHashMap<>();
            paths.forEach(path -> attributes.put(path, Attributes.of(tree, path)));
            List<String> files = attributes.keySet().stream()
                    .filter(path -> attributes.get(path).kind().equals(Optional.of(EntryKind.FILE)))
                    .toList();
            Reading[] readings = readings(tree.prepare(files));
            for (String path : paths) {
                int file = files.indexOf(path);
                entries.add(new Entry(
                        Optional.empty(),
                        Optional.of(attributes.get(path)),
                        file < 0 ? Optional.empty() : readings[file].bytes()));
            }
            return new Entries(entries);
        }

        private static Optional<List<String>> names(HostTree tree, String directory) {
            try {
                return Optional.of(tree.list(directory));
            } catch (IOException unlisted) {
                return Optional.empty();
            }
        }
    }

    /** The reading of one file of a batch. */
    record Reading(Optional<String> bytes, Optional<CallFailure> failure) {}

    /** The readings of a batch; empty if the agent no longer has it. */
    record Readings(List<Reading> readings) {}

    /** The number of a prepared batch. */
    record Prepared(long batch) {}

    /** Prepares a batch of files for repeated readings. */
    record PrepareFiles(List<String> paths) implements Call<Prepared> {

        @Override
        public Class<Prepared> answer() {
            return Prepared.class;
        }

        @Override
        public Prepared on(HostAgent agent) {
            return new Prepared(agent.add(agent.tree().prepare(paths)));
        }
    }

    /** Reads each file of a prepared batch once. */
    record ReadFiles(long batch) implements Call<Readings> {

        @Override
        public Class<Readings> answer() {
            return Readings.class;
        }

        @Override
        public Duration answersWithin() {
            return MANY_FILES;
        }

        @Override
        public Readings on(HostAgent agent) {
            HostTree.Batch files = agent.batch(batch);
            if (files == null) {
                return new Readings(List.of());
            }
            return new Readings(Arrays.asList(readings(files)));
        }
    }

    private static Reading[] readings(HostTree.Batch files) {
        Reading[] readings = new Reading[files.size()];
        files.read(new HostTree.Sink() {
            @Override
            public void content(int index, byte[] buffer, int length) {
                readings[index] = new Reading(
                        Optional.of(new String(buffer, 0, length, StandardCharsets.ISO_8859_1)), Optional.empty());
            }

            @Override
            public void failed(int index, IOException cause) {
                readings[index] = new Reading(Optional.empty(), Optional.of(CallFailure.of(cause)));
            }
        });
        return readings;
    }
}
