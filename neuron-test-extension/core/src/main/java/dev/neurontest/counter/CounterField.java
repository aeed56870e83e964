package dev.neurontest.counter;

import org.apiguardian.api.API;

/** Which file of a counter. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CounterField {
    /** {@code total}: the current value. Differences are taken of this one. */
    TOTAL("/total"),
    /** {@code present}: the size of the last change; on datastore counters since driver 2.30 the same as the total. */
    PRESENT("/present"),
    /** {@code peak}: the largest total of a memory counter since the peak was cleared. */
    PEAK("/peak"),
    /** A plain file that is the counter itself, such as an ECC count. */
    VALUE("");

    private final String suffix;

    CounterField(String suffix) {
        this.suffix = suffix;
    }

    /**
     * What follows the counter's path to make it the file's path.
     *
     * @return such as {@code /total}; empty for {@link #VALUE}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String suffix() {
        return suffix;
    }

    /**
     * The field that a file is.
     *
     * @param file its path
     * @return {@link #VALUE} unless it is named as another
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
