package dev.neurontest.internal.command.doctor;

import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.platform.LeftoverFolders;
import dev.neurontest.internal.process.orphan.Orphan;
import dev.neurontest.internal.process.orphan.Orphans;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Leftovers of killed JVMs of this user: processes, folders and mounts. */
final class Leftovers {

    private static final String AREA = "left";
    private static final String ADVICE = "The next test JVM of this user %s; neuron-test doctor --reap does it now.";

    private Leftovers() {}

    /** Finds the leftovers without a change. */
    static List<DoctorFinding> examine(Settings settings) {
        List<DoctorFinding> findings = new ArrayList<>();
        Orphans.find()
                .forEach(orphan -> findings.add(
                        DoctorFinding.of(Code.PROCESS_LEFT, orphan.toString(), ADVICE.formatted("ends it"))));
        LeftoverFolders places = LeftoverFolders.find(settings, false);
        places.folders().forEach(folder -> findings.add(place(folder, "folder", "removes")));
        places.mounts().forEach(mount -> findings.add(place(mount, "mount", "unmounts")));
        return orNothing(findings);
    }

    /** Returns the finding for a folder or mount. Unlike a process, it does not block a core. */
    private static DoctorFinding place(Path path, String what, String removes) {
        return DoctorFinding.ok(
                AREA, "%s, a %s of a dead JVM".formatted(path, what), ADVICE.formatted(removes + " it"));
    }

    /** Ends and removes the leftovers. */
    static List<DoctorFinding> reap(Settings settings) {
        List<DoctorFinding> findings = new ArrayList<>();
        Orphans.Outcome processes = Orphans.end();
        processes.ended().forEach(orphan -> findings.add(DoctorFinding.ok(AREA, "ended " + orphan)));
        for (Orphan orphan : processes.left()) {
            findings.add(DoctorFinding.of(
                    Code.NOT_REAPED,
                    "not even SIGKILL ended " + orphan,
                    "A driver or a file system blocks it: see sudo dmesg."));
        }
        LeftoverFolders places = LeftoverFolders.find(settings, true);
        places.mounts().forEach(mount -> findings.add(DoctorFinding.ok(AREA, "unmounted " + mount)));
        places.folders().forEach(folder -> findings.add(DoctorFinding.ok(AREA, "removed " + folder)));
        LeftoverFolders remaining = LeftoverFolders.find(settings, false);
        Stream.concat(remaining.folders().stream(), remaining.mounts().stream())
                .forEach(place -> findings.add(DoctorFinding.of(
                        Code.NOT_REAPED, place + " of a dead JVM could not be removed", "See ls -la and findmnt.")));
        return orNothing(findings);
    }

    private static List<DoctorFinding> orNothing(List<DoctorFinding> findings) {
        return findings.isEmpty()
                ? List.of(DoctorFinding.ok(AREA, "there are no leftovers of killed JVMs of this user"))
                : findings;
    }
}
