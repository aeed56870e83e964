package dev.neurontest.lease.store;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Slots of this JVM alone. */
final class MemorySlots implements Slots {

    private final byte[] heads = new byte[(int) TicketSlots.TEXTS];
    private final Map<Long, byte[]> texts = new ConcurrentHashMap<>();
    private final Set<Integer> locked = ConcurrentHashMap.newKeySet();

    @Override
    public byte[] read(long position, int length) {
        byte[] found = texts.getOrDefault(position, new byte[0]);
        return position < heads.length
                ? Arrays.copyOfRange(heads, (int) position, (int) position + length)
                : Arrays.copyOf(found, length);
    }

    @Override
    public void write(long position, byte[] content) {
        if (position < heads.length) {
            System.arraycopy(content, 0, heads, (int) position, content.length);
        } else {
            texts.put(position, content.clone());
        }
    }

    @Override
    public boolean tryLock(int slot) {
        return locked.add(slot);
    }

    @Override
    public void unlock(int slot) {
        locked.remove(slot);
    }

    @Override
    public boolean holds(Collection<Integer> slots) {
        return locked.containsAll(slots);
    }

    @Override
    public void requireInPlace() {
        // Only this JVM has it.
    }
}
