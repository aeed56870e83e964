package dev.neurontest.internal.print;

import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.print.DevicePrint;
import org.apiguardian.api.API;

/** The failed comparison of a print by an assertion, stored for the picture. */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparedPrint(DevicePrint print, TensorComparison comparison) {}
