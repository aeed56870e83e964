package dev.neurontest.assertj;

import org.apiguardian.api.API;
import org.assertj.core.api.SoftAssertions;

/**
 * AssertJ's soft assertions with Neuron Test's entry points.
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

    /** Collects nothing yet. */
    public NeuronSoftAssertions() {}
}
