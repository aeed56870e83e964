package dev.neurontest.counter.tree;

import dev.neurontest.device.CounterKind;
import org.apiguardian.api.API;

/**
 * A counter in a layout, with the positions of its files; -1 where there is no such file.
 *
 * @param path below {@code stats}
 * @param kind what the driver does with it
 * @param mainField which file the counter itself is
 * @param main the total, or the file that is the counter itself
 * @param present the size of the last change
 * @param peak the largest total
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CounterRow(String path, CounterKind kind, CounterField mainField, int main, int present, int peak) {

    /**
     * The position of one of its files.
     *
     * @param field which file
     * @return -1 where there is no such file
     */
    public int position(CounterField field) {
        return switch (field) {
            case TOTAL, VALUE -> field == mainField ? main : -1;
            case PRESENT -> present;
            case PEAK -> peak;
        };
    }
}
