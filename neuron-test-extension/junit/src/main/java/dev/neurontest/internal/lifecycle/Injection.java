package dev.neurontest.internal.lifecycle;

import dev.neurontest.LeaseScope;
import dev.neurontest.Neff;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.plan.CoreSlot;
import dev.neurontest.internal.plan.Misuse;
import dev.neurontest.internal.plan.ParameterKind;
import dev.neurontest.internal.platform.Platform;
import java.util.List;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;

/**
 * What the parameters of a test or class are given. Most of it begins its life.
 *
 * @param lives of tests and classes
 * @param context whose parameters they are
 */
@API(status = API.Status.INTERNAL)
public record Injection(TestContexts lives, ExtensionContext context) {

    public Object value(ParameterContext parameter) {
        return switch (ParameterKind.of(parameter.getParameter()).orElseThrow()) {
            case CORE -> cores(parameter).get(0);
            case CORES -> cores(parameter);
            case DEVICE -> cores(parameter).get(0).device();
            case HOST -> platform().host();
            case COUNTERS -> lives.getOrBegin(context).counters();
            case WORKLOADS -> lives.getOrBegin(context).workloads();
            case PROFILER -> lives.getOrBegin(context).profiler();
            case PROFILE -> lives.getOrBegin(context).profile();
            case RUNTIME -> lives.getOrBegin(context).neuronRuntime();
            case MODEL ->
                lives.getOrBegin(context)
                        .model(parameter.findAnnotation(Neff.class).orElseThrow());
            case PRINTS -> lives.getOrBegin(context).prints();
            case COMPARISONS -> lives.getOrBegin(context).comparisons();
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
        return JvmSession.of(context).host().host().platform();
    }

    private List<NeuronCore> cores(ParameterContext parameter) {
        LeaseScope place = context.getTestMethod().isPresent() ? LeaseScope.TEST : LeaseScope.CLASS;
        return lives.getOrBegin(context)
                .cores(CoreSlot.of(parameter.getDeclaringExecutable(), place).get(parameter.getParameter()));
    }
}
