package dev.neurontest.counter;

/**
 * A counter in a layout, with the positions of its files; -1 where there is no such file.
 *
 * @param main the total, or the file that is the counter itself
 */
record CounterRow(String path, CounterKind kind, CounterField mainField, int main, int present, int peak) {

    int position(CounterField field) {
        return switch (field) {
            case TOTAL, VALUE -> field == mainField ? main : -1;
            case PRESENT -> present;
            case PEAK -> peak;
        };
    }
}
