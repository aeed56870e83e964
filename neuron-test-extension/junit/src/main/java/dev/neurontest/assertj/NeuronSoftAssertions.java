package dev.neurontest.assertj;

import org.apiguardian.api.API;
import org.assertj.core.api.SoftAssertions;

/**
 * AssertJ soft assertions with the entry points of Neuron Test.
 *
 * <pre>{@code
 * NeuronSoftAssertions softly = new NeuronSoftAssertions();
 * softly.assertThat(diff).hasNoErrors();
 * softly.assertThat(diff).counter("inference_count").roseBy(100);
 * softly.assertAll();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class NeuronSoftAssertions extends SoftAssertions implements NeuronSoftAssertionsProvider {

    /** Creates soft assertions without any failures. */
    public NeuronSoftAssertions() {}
}
