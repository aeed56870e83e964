package dev.neurontest.internal.assertj;

import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.tensor.TensorView;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A tensor as assertions look at it.
 *
 * @param tensor the values
 * @param name what messages call it
 * @param memory takes comparisons that failed
 * @param others which other prints of the same test have values that are not finite
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ObservedTensor(
        TensorView tensor, String name, Consumer<TensorComparison> memory, Supplier<List<String>> others) {

    public static ObservedTensor of(TensorView tensor) {
        return new ObservedTensor(tensor, "tensor", comparison -> {}, List::of);
    }

    public static ObservedTensor of(DevicePrint print) {
        return new ObservedTensor(print.tensor(), print.label(), comparison -> {}, List::of);
    }

    public static ObservedTensor of(DevicePrints prints, DevicePrint print) {
        return new ObservedTensor(
                print.tensor(),
                print.label(),
                comparison -> prints.remember(print, comparison),
                () -> prints.notFinite(other -> other.order() != print.order()));
    }

    /** What a failure adds: a value that is not finite may have come out of another print. Empty when all are. */
    public String besides() {
        List<String> found = others.get();
        return found.isEmpty()
                ? ""
                : found.stream()
                        .map(other -> "\n  " + other)
                        .collect(Collectors.joining("", "\nOther prints of the test:", ""));
    }

    /**
     * The tensor as failure messages of AssertJ name it.
     *
     * @return name, dtype and shape
     */
    @Override
    public String toString() {
        return "%s, %s %s".formatted(name, tensor.dtypeName(), tensor.shapeText());
    }
}
