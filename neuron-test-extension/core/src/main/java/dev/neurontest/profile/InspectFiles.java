package dev.neurontest.profile;

import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.text.CountText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that the runtime of a workload wrote. The output folder has one sub folder per process. A framework may add a sub folder below
 * it, named by the time. Links are not followed.
 *
 * @param sizes sizes of the regular files at these depths
 */
record InspectFiles(SortedMap<Path, Long> sizes) {

    /** Name of the system profile of a process. */
    static final String SYSTEM = "ntrace.pb";

    private static final int DEPTH = 3;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Pattern OF_PROCESS = Pattern.compile(".+_pid_[0-9]+");
    private static final Pattern NEFF = Pattern.compile("neff_(?<hash>[0-9]+)(?:_vnc_(?<core>[0-9]{1,9}))?\\.neff");
    private static final Pattern MODEL =
            Pattern.compile("(?<hash>[0-9]+)(?:_instid_[0-9]+)?_vnc_(?<core>[0-9]{1,9})\\.ntff");
    private static final Pattern SESSION = Pattern.compile("profile_nc_(?<core>[0-9]{1,9})_session_[0-9]+\\.ntff");

    /**
     * A compiled model.
     *
     * @param core the core that the runtime copied it for; empty for all cores of its process
     */
    record NeffFile(Path file, String hash, OptionalInt core, Optional<NeffHeader> header) {

        /** Returns whether a trace belongs to the executions of this copy of the NEFF. A trace of a session has no hash. */
        private boolean isOf(NtffFile ntff) {
            boolean isOfNeff =
                    ntff.hash().equals(Optional.of(hash)) && (core.isEmpty() || core.getAsInt() == ntff.core());
            return ntff.file().getParent().equals(file.getParent())
                    && (isOfNeff || ntff.hash().isEmpty() && ntff.size() > 0);
        }
    }

    /** A trace file. */
    record NtffFile(Path file, Optional<String> hash, int core, long size, Optional<NtffHeader> header) {}

    /** Returns the output folder of the workload's runtime. */
    static Path in(Path capture) {
        return capture.resolve("inspect");
    }

    /**
     * Waits for traces that neither grow nor are empty, up to a time limit.
     *
     * @throws InterruptedException when the thread is interrupted
     * @throws IOException when the folder cannot be read
     */
    static InspectFiles await(Path folder, Duration atMost) throws InterruptedException, IOException {
        return await(folder, atMost, InspectFiles::isWhole);
    }

    /** Waits for unchanged files that satisfy a condition, up to a time limit. */
    static InspectFiles await(Path folder, Duration atMost, Predicate<InspectFiles> whole)
            throws InterruptedException, IOException {
        long since = System.nanoTime();
        InspectFiles before = read(folder);
        while (System.nanoTime() - since < atMost.toNanos()) {
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
            InspectFiles now = read(folder);
            if (now.equals(before) && whole.test(now)) {
                return now;
            }
            before = now;
        }
        return before;
    }

    private boolean isWhole() {
        return sizes.keySet().stream().anyMatch(file -> name(file).endsWith(".ntff"))
                && sizes.entrySet().stream()
                        .filter(file -> name(file.getKey()).matches(".*\\.n(?:tf|ef)f"))
                        .allMatch(file -> file.getValue() > 0);
    }

    /** Returns whether the runtime wrote a system profile. */
    boolean hasSystemProfile() {
        return sizes.entrySet().stream().anyMatch(file -> name(file.getKey()).equals(SYSTEM) && file.getValue() > 0);
    }

    private static InspectFiles read(Path folder) throws IOException {
        SortedMap<Path, Long> sizes = new TreeMap<>();
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> entries = Files.find(folder, DEPTH, (file, is) -> is.isRegularFile())) {
                for (Path file : entries.toList()) {
                    if (OF_PROCESS
                            .matcher(folder.relativize(file).getName(0).toString())
                            .matches()) {
                        sizes.put(file, size(file));
                    }
                }
            } catch (java.io.UncheckedIOException e) {
                throw e.getCause();
            }
        }
        return new InspectFiles(sizes);
    }

    private static long size(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .size();
        } catch (IOException disappeared) {
            return 0;
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    List<NeffFile> neffs() {
        List<NeffFile> neffs = new ArrayList<>();
        for (Path file : sizes.keySet()) {
            Matcher name = NEFF.matcher(name(file));
            if (name.matches()) {
                neffs.add(new NeffFile(
                        file,
                        name.group("hash"),
                        name.group("core") == null
                                ? OptionalInt.empty()
                                : OptionalInt.of(Integer.parseInt(name.group("core"))),
                        NeffHeader.find(file)));
            }
        }
        return neffs;
    }

    List<NtffFile> ntffs() {
        List<NtffFile> ntffs = new ArrayList<>();
        sizes.forEach((file, size) -> {
            Matcher model = MODEL.matcher(name(file));
            Matcher session = SESSION.matcher(name(file));
            if (model.matches()) {
                ntffs.add(ntff(file, Optional.of(model.group("hash")), model.group("core"), size));
            } else if (session.matches()) {
                ntffs.add(ntff(file, Optional.empty(), session.group("core"), size));
            }
        });
        return ntffs;
    }

    /** Returns the NEFFs without a trace. The runtime copies a NEFF for each process, or for each of its cores. */
    List<NeffFile> withoutTrace() {
        List<NtffFile> ntffs = ntffs();
        return neffs().stream()
                .filter(neff -> ntffs.stream().noneMatch(neff::isOf))
                .toList();
    }

    private static NtffFile ntff(Path file, Optional<String> hash, String core, long size) {
        return new NtffFile(
                file, hash, Integer.parseInt(core), size, NtffHeader.read(file).header());
    }

    /** Returns the reason why there is no trace, as far as the files reveal it. */
    String whyNone(Path folder) {
        if (sizes.isEmpty()) {
            return "%s is empty. The workload did not use the runtime, or not with the variables of inspect.environment(), or was killed: SIGKILL loses traces."
                    .formatted(folder);
        }
        if (sizes.keySet().stream().allMatch(file -> name(file).endsWith(".pb"))) {
            return "%s contains only system profiles. Set NEURON_RT_INSPECT_DEVICE_PROFILE=model, as inspect.environment() does."
                    .formatted(folder);
        }
        return "%s contains %s, but no NTFF file. Let the workload execute the model, and end it with SIGTERM at most."
                .formatted(folder, CountText.of(sizes.size(), "file"));
    }
}
