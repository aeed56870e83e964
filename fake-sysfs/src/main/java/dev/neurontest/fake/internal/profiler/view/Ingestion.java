package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.table.Schema;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writer of the tables of profiles, to a given folder, or to a store with a folder for each name. */
final class Ingestion {

    /** The option with the group of a profile in the store. Only uploads have it. */
    static final String NAMESPACE = "namespace";

    private static final String STORE = ".local/share/neuron-profile";

    private final Invocation invocation;
    private final GoFlags flags;
    private final Call call;
    private final Schema schema = new Schema();

    Ingestion(Invocation invocation, GoFlags flags, Call call) {
        this.invocation = invocation;
        this.flags = flags;
        this.call = call;
    }

    /** Returns whether no name is given for a profile in a store or of a folder. Some versions are reported to require one. */
    static boolean lacksName(GoFlags flags) {
        return !flags.has("display-name")
                && !flags.has("output-file")
                && (flags.has("ingest-only") || flags.has("data-path") || flags.has("session-dir"));
    }

    /** Returns the folder with the profiles of earlier calls. */
    static Path store(Invocation invocation, GoFlags flags) {
        return invocation.path(flags.get("data-path", invocation.variable("HOME") + '/' + STORE));
    }

    void write(List<TracePair> pairs) throws ToolFailure, IOException {
        if (!flags.has("session-dir")) {
            TracePair pair = pairs.get(0);
            write(pair, flags.get("display-name", pair.key()));
            return;
        }
        Path folder = invocation.path(flags.get("session-dir", ""));
        Path last = folder.toAbsolutePath().normalize().getFileName();
        String name = flags.get("display-name", String.valueOf(last == null ? "root" : last));
        if (SystemProfile.isIn(folder) && !flags.has("ignore-system-profile")) {
            SystemProfile system = SystemProfile.read(folder, flags);
            system.write(folder(name), invocation.release().ntffVersion());
            invocation.warnOfDropped(system.dropped());
            report(name);
        }
        List<String> names = SystemProfile.names(pairs, name);
        for (int i = 0; i < pairs.size() && !flags.has("ignore-device-profile"); i++) {
            write(pairs.get(i), names.get(i));
        }
    }

    private void write(TracePair pair, String name) throws ToolFailure, IOException {
        Summary summary = Summary.of(pair.ntff(), invocation.release(), call);
        new DeviceTables(pair, summary, invocation.release(), call, flags).write(folder(name), name);
        report(flags.has("display-name") ? name : pair.key());
    }

    private void report(String name) {
        invocation.out().println("Processing for " + name + " is complete");
    }

    /**
     * Returns the folder of a profile. An existing profile in the store is kept unless overwriting is requested; files in a given
     * folder are overwritten.
     */
    private TableFolder folder(String name) throws ToolFailure, IOException {
        Path folder = invocation.path(flags.get("output-file", ""));
        if (!flags.has("output-file")) {
            folder = store(invocation, flags)
                    .resolve("profiles")
                    .resolve(flags.get(NAMESPACE, "global"))
                    .resolve(name + "@latest");
            if (Files.exists(folder)) {
                if (flags.has("display-name") && !flags.has("force")) {
                    throw invocation.refuse("profile " + name + " already exists, use --force to overwrite it");
                }
                removeTables(folder);
            }
        }
        return new TableFolder(folder, schema, call);
    }

    private static void removeTables(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder, "*.parquet")) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }
}
