package dev.neurontest.internal.lease;

import java.util.List;

/** Collects the warnings of a table. */
public record WarningsFixture(List<String> warnings) implements LeaseObserver {

    @Override
    public void warned(String notice) {
        warnings.add(notice);
    }
}
