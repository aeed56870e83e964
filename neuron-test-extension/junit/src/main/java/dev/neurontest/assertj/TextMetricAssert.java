package dev.neurontest.assertj;

import dev.neurontest.profile.TracedExecution;
import org.apiguardian.api.API;

/** Assertions on a text of a profile. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class TextMetricAssert extends AbstractMetricAssert<TextMetricAssert, ObservedMetric> {

    /**
     * Starts assertions; the methods of {@link AbstractProfileAssert} are the usual way.
     *
     * @param actual which metric of which profile
     */
    public TextMetricAssert(ObservedMetric actual) {
        super(actual, TextMetricAssert.class);
    }

    /**
     * It begins with a text.
     *
     * <pre>{@code
     * assertThat(profile).instanceType().startsWith("trn2."); // succeeds
     * assertThat(profile).instanceType().startsWith("inf2."); // fails
     * }</pre>
     *
     * @param prefix how it begins; all of it, when it is to be the same
     * @return this
     */
    public TextMetricAssert startsWith(String prefix) {
        isNotNull();
        for (TracedExecution execution : executions()) {
            String text = execution.summary().text(actual.name()).orElseThrow(() -> absent(execution));
            if (!text.startsWith(prefix)) {
                throw failure(
                        "%s is \"%s\" in %s, expected it to begin with \"%s\".",
                        actual.name(), text, place(execution), prefix);
            }
        }
        return this;
    }
}
