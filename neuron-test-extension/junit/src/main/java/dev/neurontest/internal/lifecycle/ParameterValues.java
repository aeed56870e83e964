package dev.neurontest.internal.lifecycle;

import dev.neurontest.LeaseScope;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.plan.CoreSlot;
import dev.neurontest.internal.plan.HostParameter;
import dev.neurontest.internal.plan.Misuse;
import dev.neurontest.internal.platform.Platform;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;

/**
 * Values of the parameters of a test or class. The first value starts its lifecycle.
 *
 * @param lives the lifecycles of tests and classes
 * @param context the test or class that has the parameters
 */
@API(status = API.Status.INTERNAL)
public record ParameterValues(TestContexts lives, ExtensionContext context) {

    /** Checks whether a parameter gets a value. */
    public static boolean isProvided(Parameter parameter) {
        return HostParameter.of(parameter).isPresent()
                || HostSession.parameterType(parameter).isPresent();
    }

    /** Returns the value of a parameter. */
    public Object value(ParameterContext parameter) {
        Optional<HostParameter> ofHost = HostParameter.of(parameter.getParameter());
        if (ofHost.isEmpty()) {
            return lives.getOrBegin(context)
                    .value(HostSession.parameterType(parameter.getParameter()).orElseThrow(), parameter.getParameter());
        }
        return switch (ofHost.get()) {
            case CORE -> cores(parameter).get(0);
            case CORES -> cores(parameter);
            case DEVICE -> cores(parameter).get(0).device();
            case HOST -> platform().host();
            case FAKE ->
                platform()
                        .fake()
                        .orElseThrow(() -> Misuse.of(
                                "There is no FakeNeuronHost on %s. Take an Optional<FakeNeuronHost>, or run on a fake"
                                        .formatted(platform().choice())));
            case FAKE_IF_ANY -> platform().fake();
            case FAKES ->
                lives.getOrBegin(context)
                        .cluster()
                        .map(cluster -> JvmSession.of(context).host().hosts().fakes(cluster))
                        .orElseThrow(
                                () -> Misuse.of(
                                        "A List<FakeNeuronHost> has the hosts of a NeuronCluster. Add such a parameter, or take a FakeNeuronHost."));
        };
    }

    private Platform platform() {
        return JvmSession.of(context).host().wholePlatform();
    }

    private List<NeuronCore> cores(ParameterContext parameter) {
        LeaseScope place = context.getTestMethod().isPresent() ? LeaseScope.TEST : LeaseScope.CLASS;
        return lives.getOrBegin(context)
                .cores(CoreSlot.of(parameter.getDeclaringExecutable(), place).get(parameter.getParameter()));
    }
}
