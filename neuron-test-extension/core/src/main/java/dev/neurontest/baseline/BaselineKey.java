package dev.neurontest.baseline;

import org.apiguardian.api.API;

/**
 * What is compared.
 *
 * @param testClass the test class by its full name, which names the baseline file
 * @param test the test within the class, such as {@code inference(int)[1]}
 * @param metric the name of what is measured, such as {@code total_time}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BaselineKey(String testClass, String test, String metric) {

    /**
     * What messages call it.
     *
     * @return such as {@code com.acme.BertTest#inference(int)[1] total_time}
     */
    @Override
    public String toString() {
        return testClass + "#" + test + " " + metric;
    }
}
