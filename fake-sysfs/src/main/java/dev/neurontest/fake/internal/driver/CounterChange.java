package dev.neurontest.fake.internal.driver;

/** What the journal says of a counter. */
record CounterChange(Counter counter, String how, long total, long present) {

    @Override
    public String toString() {
        return counter + " " + how + ": total " + Long.toUnsignedString(total) + ", present "
                + Long.toUnsignedString(present);
    }
}
