package dev.neurontest;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.platform.Platform;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;

/**
 * What the parameters of a test or class are given. Most of it begins its life.
 *
 * @param lives of tests and classes
 * @param context whose parameters they are
 */
record Injection(TestLives lives, ExtensionContext context) {

    Object value(ParameterContext parameter) {
        return switch (ParameterKind.of(parameter.getParameter()).orElseThrow()) {
            case CORE -> cores(parameter).get(0);
            case CORES -> cores(parameter);
            case DEVICE -> cores(parameter).get(0).device();
            case HOST -> platform().host();
            case COUNTERS -> lives.of(context).counters();
            case WORKLOADS -> lives.of(context).workloads();
            case PROFILER -> lives.of(context).profiler();
            case PROFILE -> lives.of(context).profile();
            case RUNTIME -> lives.of(context).neuronRuntime();
            case MODEL ->
                lives.of(context).model(parameter.findAnnotation(Neff.class).orElseThrow());
            case PRINTS -> lives.of(context).prints();
            case COMPARISONS -> lives.of(context).comparisons();
            case FAKE ->
                platform()
                        .fake()
                        .orElseThrow(() -> Misuse.of(
                                "There is no FakeNeuronHost on %s. Take an Optional<FakeNeuronHost>, or run on a fake"
                                        .formatted(platform().choice())));
            case FAKE_IF_ANY -> platform().fake();
        };
    }

    private Platform platform() {
        return Session.of(context).host().host().platform();
    }

    private List<NeuronCore> cores(ParameterContext parameter) {
        LeaseScope place = context.getTestMethod().isPresent() ? LeaseScope.TEST : LeaseScope.CLASS;
        return lives.of(context)
                .cores(Slot.of(parameter.getDeclaringExecutable(), place).get(parameter.getParameter()));
    }
}
