package dev.neurontest.internal.print;

import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.print.DevicePrint;
import org.apiguardian.api.API;

/**
 * A print that an assertion compared and found wanting. It is remembered for the picture.
 *
 * @param print which one
 * @param comparison what was found
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparedPrint(DevicePrint print, TensorComparison comparison) {}
