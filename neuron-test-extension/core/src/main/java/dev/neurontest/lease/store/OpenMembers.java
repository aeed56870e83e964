package dev.neurontest.lease.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files of other members, kept open: to open and examine them takes longer than a change of the table, and each JVM that waits
 * looks at them again and again. What is open stays the file that was examined, whatever becomes of its name.
 */
final class OpenMembers implements AutoCloseable {

    private static final int MOST = 32;

    private final SharedFolder table;
    private final Map<String, SharedFile> files = new LinkedHashMap<>(MOST, 0.75f, true);

    OpenMembers(SharedFolder table) {
        this.table = table;
    }

    /**
     * Returns whether another JVM lives.
     *
     * @throws PlantedFileException when its file is none that a JVM makes
     * @throws IOException when its file cannot be opened
     */
    synchronized boolean isAlive(String name) throws IOException {
        if (Membership.isOfThisJvm(name)) {
            return true;
        }
        SharedFile alive = open(name, Membership.ALIVE);
        boolean isFree = alive.tryLock(true);
        alive.unlock();
        return !isFree;
    }

    /**
     * Rings, if that is possible.
     *
     * @throws PlantedFileException when its bell is none that a JVM makes
     */
    synchronized void ring(String name) throws PlantedFileException {
        try {
            Membership.ring(open(name, Membership.BELL));
        } catch (PlantedFileException planted) {
            throw planted;
        } catch (IOException deaf) {
            // It looks again by itself before long.
        }
    }

    private SharedFile open(String name, String file) throws IOException {
        String key = name + "/" + file;
        SharedFile known = files.get(key);
        if (known != null) {
            return known;
        }
        if (files.size() >= MOST) {
            String oldest = files.keySet().iterator().next();
            files.remove(oldest).close();
        }
        try (SharedFolder member = table.folder(name)) {
            SharedFile opened = member.open(file);
            files.put(key, opened);
            return opened;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        for (SharedFile each : new ArrayList<>(files.values())) {
            each.close();
        }
        files.clear();
    }
}
