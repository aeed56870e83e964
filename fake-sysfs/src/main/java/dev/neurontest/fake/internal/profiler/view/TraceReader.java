package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.ToolFailure;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Reader of the traces for {@code view}, each with its NEFF. It rejects files that it cannot read. */
final class TraceReader {

    private final Invocation invocation;
    private final GoFlags flags;
    private final String format;

    TraceReader(Invocation invocation, GoFlags flags, String format) {
        this.invocation = invocation;
        this.flags = flags;
        this.format = format;
    }

    /** Returns the named trace, or all traces of the named folder. */
    List<TracePair> pairs() throws ToolFailure, IOException {
        if (flags.has("session-dir")) {
            return fromFolder(invocation.path(flags.get("session-dir", "")));
        }
        Neff neff = invocation.readOwnNeff(flags.get("neff-path", "file.neff"));
        String session = flags.get("session-file", "profile.ntff");
        return List.of(pair(neff, session));
    }

    private TracePair pair(Neff neff, String session) throws ToolFailure, IOException {
        Ntff ntff = readOwnNtff(invocation, session);
        if (ntff.picoseconds() <= 0) {
            throw failedToLoad(invocation, session, "no execution in it takes any time");
        }
        if (!ntff.isOf(neff) && invocation.release().explorer()) {
            throw incomplete("NEFF and NTFF have different UUIDs");
        }
        invocation.warnOfDropped(ntff.properties().number("dropped", 0));
        return new TracePair(neff, invocation.path(session), ntff, key(ntff, session));
    }

    private ToolFailure incomplete(String reason) {
        invocation.log("ERRO", "Failed to process profile", "error=\"" + reason + '"');
        return new ToolFailure("ERROR_PROCESS_INCOMPLETE");
    }

    /** Reads a trace of this stand-in. Other traces contain nothing from which the stand-in can compute metrics. */
    static Ntff readOwnNtff(Invocation invocation, String session) throws ToolFailure {
        Ntff ntff = readNtff(invocation, session);
        if (!ntff.isOwn()) {
            throw failedToLoad(
                    invocation,
                    session,
                    "it was not captured on a host of fake-sysfs, and this stand-in invents no numbers for it");
        }
        return ntff;
    }

    private static Ntff readNtff(Invocation invocation, String session) throws ToolFailure {
        try {
            Ntff ntff = Ntff.read(invocation.path(session));
            requireVersion(invocation, session, ntff.version());
            return ntff;
        } catch (NoSuchFileException gone) {
            throw failedToLoad(invocation, session, "open " + session + ": no such file or directory");
        } catch (Ntff.Unreadable wrong) {
            requireVersion(invocation, session, wrong.version());
            throw failedToLoad(invocation, session, String.valueOf(wrong.getMessage()));
        } catch (IOException wrong) {
            throw failedToLoad(invocation, session, String.valueOf(wrong.getMessage()));
        }
    }

    private static void requireVersion(Invocation invocation, String session, int version) throws ToolFailure {
        int newest = invocation.release().ntffVersion();
        if (version > newest || version == 0) {
            throw failedToLoad(
                    invocation,
                    session,
                    "NTFF version " + version + " is not supported in this version of the tool (supported: 1 - "
                            + newest + "). Please upgrade aws-neuronx-tools.");
        }
    }

    private static ToolFailure failedToLoad(Invocation invocation, String session, String reason) {
        invocation.log("ERRO", "Failed to load profile session", "NTFF=" + session, "error=\"" + reason + '"');
        ToolRelease release = invocation.release();
        return new ToolFailure(release.tool() + " exited with an error." + release.tool() + ' ' + release.version());
    }

    /** Returns all traces of a folder with a matching NEFF in the folder or on the command line. */
    private List<TracePair> fromFolder(Path folder) throws ToolFailure, IOException {
        List<Path> neffs = new ArrayList<>();
        List<Path> traces = new ArrayList<>();
        try (var files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                String name = file.toString();
                if (name.endsWith(".neff")) {
                    neffs.add(file);
                } else if (name.endsWith(".ntff") && Files.size(file) == 0) {
                    invocation.log("WARN", "empty trace is left out", "NTFF=" + file.getFileName());
                } else if (name.endsWith(".ntff")) {
                    traces.add(file);
                }
            }
        } catch (NoSuchFileException gone) {
            throw invocation.refuse("open " + folder + ": no such file or directory");
        }
        if (flags.has("neff-path")) {
            neffs = List.of(invocation.path(flags.get("neff-path", "")));
        }
        if (traces.stream()
                        .filter(file -> file.getFileName().toString().contains("_rank_"))
                        .count()
                > 1) {
            throw invocation.refuse("device profiles of several ranks are not one profile: view one rank at a time");
        }
        if (traces.isEmpty() && hasSystemProfile(folder)) {
            return List.of();
        }
        if (traces.isEmpty()) {
            throw new ToolFailure("No metadata found for system profile: " + folder.getFileName());
        }
        List<TracePair> pairs = new ArrayList<>();
        for (Path trace : traces) {
            Ntff ntff = readNtff(invocation, trace.toString());
            for (Path file : neffs) {
                Neff neff = invocation.readNeff(file.toString());
                if (ntff.isOf(neff)) {
                    pairs.add(pair(neff, trace.toString()));
                    break;
                }
            }
        }
        if (pairs.isEmpty()) {
            throw incomplete("no NEFF in " + folder + " has the UUID of a trace");
        }
        return pairs;
    }

    /** Returns {@code n_} and forty hexadecimal digits, which are equal for the same trace and file name. */
    private static String key(Ntff ntff, String session) {
        long seed = session.hashCode() * 31L + Arrays.hashCode(ntff.uuid()) + ntff.picoseconds();
        HexFormat hex = HexFormat.of();
        return "n_" + hex.toHexDigits(seed) + hex.toHexDigits(seed * 0x9E3779B97F4A7C15L) + hex.toHexDigits((int) seed);
    }

    /** Returns whether the folder contains a system profile that was requested. */
    boolean hasSystemProfile(Path folder) throws IOException {
        return !format.startsWith("summary") && !flags.has("ignore-system-profile") && SystemProfile.isIn(folder);
    }
}
