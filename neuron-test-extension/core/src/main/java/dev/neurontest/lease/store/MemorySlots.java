package dev.neurontest.lease.store;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Slots of this JVM alone. */
final class MemorySlots implements Slots {

    private final Map<Long, Long> numbers = new ConcurrentHashMap<>();
    private final Map<Long, byte[]> texts = new ConcurrentHashMap<>();

    @Override
    public long get(long position) {
        return numbers.getOrDefault(position, 0L);
    }

    @Override
    public void set(long position, long value) {
        numbers.put(position, value);
    }

    @Override
    public boolean compareAndSet(long position, long expected, long value) {
        return expected == 0 && numbers.putIfAbsent(position, value) == null
                || numbers.replace(position, expected, value);
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
    public long self() {
        return 1;
    }

    @Override
    public boolean isDead(long owner) {
        return false;
    }

    @Override
    public void requireInPlace() {
        // Only this JVM has it.
    }
}
