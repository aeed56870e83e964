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
 * A tensor, the subject of tensor assertions.
 *
 * @param name the name in failure messages
 * @param memory receives failed comparisons
 * @param others returns other prints of the same test with values that are not finite
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

    /**
     * Returns the names of other prints with values that are not finite, for failure messages: such a value may come from another print.
     * Empty if there are none.
     */
    public String besides() {
        List<String> labels = others.get();
        return labels.isEmpty()
                ? ""
                : labels.stream()
                        .map(other -> "\n  " + other)
                        .collect(Collectors.joining("", "\nOther prints of the test:", ""));
    }

    /** Returns name, dtype and shape for failure messages of AssertJ. */
    @Override
    public String toString() {
        return "%s, %s %s".formatted(name, tensor.dtypeName(), tensor.shapeText());
    }
}
