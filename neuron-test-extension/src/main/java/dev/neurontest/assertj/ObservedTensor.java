package dev.neurontest.assertj;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.tensor.TensorComparison;
import dev.neurontest.tensor.TensorView;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * A tensor as assertions look at it.
 *
 * @param tensor the values
 * @param name what messages call it
 * @param memory takes comparisons that failed
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ObservedTensor(TensorView tensor, String name, Consumer<TensorComparison> memory) {

    static ObservedTensor of(TensorView tensor) {
        return new ObservedTensor(tensor, "tensor", comparison -> {});
    }

    static ObservedTensor of(DevicePrint print) {
        return new ObservedTensor(print.tensor(), print.label(), comparison -> {});
    }

    static ObservedTensor of(DevicePrints prints, DevicePrint print) {
        return new ObservedTensor(print.tensor(), print.label(), comparison -> prints.remember(print, comparison));
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
