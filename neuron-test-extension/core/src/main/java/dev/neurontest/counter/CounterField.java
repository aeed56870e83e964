package dev.neurontest.counter;

import org.apiguardian.api.API;

/** A file of a counter. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CounterField {
    /** {@code total}: the current value. Differences are computed from this file. */
    TOTAL("/total"),
    /** {@code present}: the size of the last change. On datastore counters since driver 2.30 it is the same as the total. */
    PRESENT("/present"),
    /** {@code peak}: the largest total of a memory counter since the peak was cleared. */
    PEAK("/peak"),
    /** A plain file without a counter directory, such as an ECC count. */
    VALUE("");

    private final String suffix;

    CounterField(String suffix) {
        this.suffix = suffix;
    }

    /**
     * Returns the suffix that turns the counter's path into the file's path.
     *
     * @return a suffix such as {@code /total}; empty for {@link #VALUE}
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String suffix() {
        return suffix;
    }

    /**
     * Returns the field of a file.
     *
     * @param file path of the file
     * @return the field; {@link #VALUE} if the path has no other suffix
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static CounterField ofFile(String file) {
        for (CounterField field : new CounterField[] {TOTAL, PRESENT, PEAK}) {
            if (file.endsWith(field.suffix)) {
                return field;
            }
        }
        return VALUE;
    }
}
