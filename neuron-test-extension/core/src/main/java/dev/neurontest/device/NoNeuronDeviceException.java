package dev.neurontest.device;

import dev.neurontest.text.VisibleText;
import org.apiguardian.api.API;

/** A host on which no Neuron device can be used. The message is the one reason, fit for a skipped test. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NoNeuronDeviceException extends RuntimeException {

    private static final long serialVersionUID = 1;

    NoNeuronDeviceException(String reason) {
        super(VisibleText.of(reason));
    }
}
