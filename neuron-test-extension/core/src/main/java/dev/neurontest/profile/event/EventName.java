package dev.neurontest.profile.event;

import org.jspecify.annotations.Nullable;

/** An engine, opcode, layer, source line or queue, and what it did. */
final class EventName {

    final String text;
    final char[] characters;

    /** The conditions that it meets. */
    final long met;

    private final boolean wide;
    private @Nullable EventTally tally;

    EventName(String text, long met, boolean wide) {
        this.text = text;
        this.characters = text.toCharArray();
        this.met = met;
        this.wide = wide;
    }

    void add(long duration, long spilled) {
        if (tally == null) {
            tally = wide ? EventTally.wide() : EventTally.narrow();
        }
        tally.add(duration, spilled);
    }

    /** Null when nothing was added. */
    @Nullable
    EventTally tally() {
        return tally;
    }
}
