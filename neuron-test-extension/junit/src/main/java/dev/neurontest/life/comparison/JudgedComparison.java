package dev.neurontest.life.comparison;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonJson;
import dev.neurontest.baseline.ComparisonText;
import dev.neurontest.recording.Recording;

/** A comparison with a baseline, as it is attached to a test. */
record JudgedComparison(Comparison comparison) implements Recording {

    @Override
    public String kind() {
        return "comparison";
    }

    @Override
    public String toText() {
        return new ComparisonText(comparison).text();
    }

    @Override
    public String toJson() {
        return ComparisonJson.write(comparison);
    }
}
