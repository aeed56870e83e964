package dev.neurontest.fake.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Reads many files, none longer than a time limit: a thread that hangs in one is left behind, and another goes on with the
 * next.
 */
final class BoundedReads {

    private static final int LARGEST = 65536;

    /** So many threads may be left behind in hanging reads; what has not been read by then is given up. */
    private static final int MOST_LEFT_BEHIND = 32;

    private static final Entry TIMEOUT = new Entry.Unreadable(0, "timeout");
    private static final Entry GONE = new Entry.Gone();

    private final HostRoot root;
    private final Duration limit;
    /** Those in which a thread still hangs. They are not asked again meanwhile, which would leave another one behind each time. */
    private final Set<String> silent = ConcurrentHashMap.newKeySet();

    BoundedReads(HostRoot root, Duration limit) {
        this.root = root;
        this.limit = limit;
    }

    /** A file and its mode. */
    record Wanted(String path, int mode) {}

    /** What was read of each, in order; {@link Entry.Gone} where the file is not there any more. */
    List<Entry> read(List<Wanted> files) throws InterruptedException {
        AtomicReferenceArray<@Nullable Entry> results = new AtomicReferenceArray<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            if (silent.contains(files.get(i).path())) {
                results.set(i, TIMEOUT);
            }
        }
        AtomicInteger next = new AtomicInteger();
        while (next.get() < files.size() && silent.size() < MOST_LEFT_BEHIND) {
            Worker worker = new Worker(files, results, next);
            worker.start();
            await(worker, results, files);
        }
        List<Entry> entries = new ArrayList<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            Entry result = results.get(i);
            Entry known = result == null ? TIMEOUT : result;
            entries.add(known == TIMEOUT ? new Entry.Unreadable(files.get(i).mode(), "timeout") : known);
        }
        return entries;
    }

    private void await(Worker worker, AtomicReferenceArray<@Nullable Entry> results, List<Wanted> files)
            throws InterruptedException {
        while (true) {
            int before = worker.at;
            TimeUnit.MILLISECONDS.timedJoin(worker, Math.max(1, limit.toMillis() / 10));
            if (!worker.isAlive()) {
                return;
            }
            if (worker.at == before && System.nanoTime() - worker.since > limit.toNanos()) {
                String path = files.get(before).path();
                // Before the result, by which the thread knows that it is to take this back.
                boolean added = silent.add(path);
                if (results.compareAndSet(before, null, TIMEOUT)) {
                    worker.abandoned = true;
                    worker.interrupt();
                    return;
                }
                // Another thread may still hang there.
                if (added) {
                    silent.remove(path);
                }
            }
        }
    }

    private final class Worker extends Thread {

        private final List<Wanted> files;
        private final AtomicReferenceArray<@Nullable Entry> results;
        private final AtomicInteger next;
        private volatile int at;
        private volatile long since = System.nanoTime();
        private volatile boolean abandoned;

        Worker(List<Wanted> files, AtomicReferenceArray<@Nullable Entry> results, AtomicInteger next) {
            super("fake-neuron-record");
            setDaemon(true);
            this.files = files;
            this.results = results;
            this.next = next;
        }

        @Override
        public void run() {
            while (!abandoned) {
                int index = next.getAndIncrement();
                if (index >= files.size()) {
                    return;
                }
                if (results.get(index) != null) {
                    continue;
                }
                since = System.nanoTime();
                at = index;
                Wanted file = files.get(index);
                if (!results.compareAndSet(index, null, readOne(file))) {
                    silent.remove(file.path());
                }
            }
        }
    }

    private Entry readOne(Wanted file) {
        if ((file.mode() & 0444) == 0) {
            return new Entry.Unreadable(file.mode(), "EACCES");
        }
        try {
            byte[] bytes = root.read(file.path(), LARGEST + 1);
            return bytes.length > LARGEST
                    ? new Entry.Unreadable(file.mode(), "too-large")
                    : new Entry.Content(file.mode(), new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            return GONE;
        } catch (IOException e) {
            return new Entry.Unreadable(file.mode(), HostRoot.reason(e));
        }
    }
}
