package dev.neurontest.device;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when a host has no usable Neuron device. The message contains the reason and can be used for a skipped test. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NoNeuronDeviceException extends RuntimeException {

    private static final long serialVersionUID = 1;

    NoNeuronDeviceException(String reason) {
        super(VisibleText.of(reason));
    }
}
