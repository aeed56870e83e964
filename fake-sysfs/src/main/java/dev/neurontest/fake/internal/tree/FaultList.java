package dev.neurontest.fake.internal.tree;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The faults of a file or device. There are usually none, and then a read costs a single check. */
final class FaultList {

    private static final FileFault[] NONE = {};

    private volatile FileFault[] faults = NONE;

    synchronized void add(FileFault fault) {
        List<FileFault> more = new ArrayList<>(List.of(faults));
        more.add(fault);
        faults = more.toArray(NONE);
    }

    synchronized void remove(FileFault fault) {
        List<FileFault> fewer = new ArrayList<>(List.of(faults));
        fewer.remove(fault);
        faults = fewer.isEmpty() ? NONE : fewer.toArray(NONE);
    }

    /** Applies all faults in the order of their addition. The last one that replaces the content wins. */
    byte @Nullable [] onRead(FileNode file) throws IOException {
        FileFault[] now = faults;
        if (now == NONE) {
            return null;
        }
        byte[] instead = null;
        String path = file.path();
        for (FileFault fault : now) {
            byte[] replaced = fault.onRead(path);
            instead = replaced != null ? replaced : instead;
        }
        return instead;
    }

    void onWrite(FileNode file) throws IOException {
        for (FileFault fault : faults) {
            fault.onWrite(file.path());
        }
    }

    byte @Nullable [] shown() {
        byte[] instead = null;
        for (FileFault fault : faults) {
            byte[] replaced = fault.shown();
            instead = replaced != null ? replaced : instead;
        }
        return instead;
    }
}
