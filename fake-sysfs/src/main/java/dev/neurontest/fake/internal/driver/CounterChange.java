package dev.neurontest.fake.internal.driver;

/** The change of a counter, as an entry of the journal. */
record CounterChange(Counter counter, String how, long total, long present) {

    @Override
    public String toString() {
        return counter + " " + how + ": total " + Long.toUnsignedString(total) + ", present "
                + Long.toUnsignedString(present);
    }
}
