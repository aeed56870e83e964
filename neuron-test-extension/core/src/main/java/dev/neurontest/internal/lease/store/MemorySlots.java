package dev.neurontest.internal.lease.store;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/** Slots in the memory of this JVM. */
class MemorySlots implements Slots {

    private final AtomicLongArray numbers = new AtomicLongArray(index(CoreSlots.NUMBERS_END));
    private final Map<Long, byte[]> texts = new ConcurrentHashMap<>();

    private static int index(long position) {
        return (int) (position / Long.BYTES);
    }

    @Override
    public long get(long position) {
        return numbers.get(index(position));
    }

    @Override
    public void set(long position, long value) {
        numbers.set(index(position), value);
    }

    @Override
    public boolean compareAndSet(long position, long expected, long value) {
        return numbers.compareAndSet(index(position), expected, value);
    }

    @Override
    public byte[] read(long position, int length) {
        return Arrays.copyOf(texts.getOrDefault(position, new byte[0]), length);
    }

    @Override
    public void write(long position, byte[] content) {
        texts.put(position, content.clone());
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public long self() {
        return 1;
    }

    @Override
    public boolean isDead(long owner) {
        return false;
    }

    @Override
    public void requireInPlace() {
        // Only this JVM has the content.
    }
}
