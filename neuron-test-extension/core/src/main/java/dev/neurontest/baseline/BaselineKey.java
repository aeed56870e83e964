package dev.neurontest.baseline;

import org.apiguardian.api.API;

/**
 * The key of a compared value.
 *
 * @param testClass the full name of the test class, which determines the name of the baseline file
 * @param test the test within the class, such as {@code inference(int)[1]}
 * @param metric the name of the metric, such as {@code total_time}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BaselineKey(String testClass, String test, String metric) {

    /**
     * Returns the key for messages.
     *
     * @return a text such as {@code com.acme.BertTest#inference(int)[1] total_time}
     */
    @Override
    public String toString() {
        return testClass + "#" + test + " " + metric;
    }
}
