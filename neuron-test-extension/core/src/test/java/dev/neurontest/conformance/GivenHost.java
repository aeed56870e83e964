package dev.neurontest.conformance;

import dev.neurontest.conformance.Facts.Instance;
import dev.neurontest.conformance.Facts.Layout;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.platform.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The host of {@code neuron.test.platform}: hardware, or a directory that another program serves or has recorded. */
final class GivenHost extends HostUnderTest {

    private final String choice;
    private @Nullable Platform platform;
    private Optional<Instance> type = Optional.empty();
    private Optional<Layout> layout = Optional.empty();

    GivenHost(String choice) {
        super(choice.startsWith("root:") ? View.DIRECTORY : View.HARDWARE);
        this.choice = choice;
    }

    @Override
    void open() throws IOException {
        Platform open = Platform.open(
                Settings.of(name -> name.equals("neuron.test.platform") ? Optional.of(choice) : Optional.empty()));
        platform = open;
        NeuronHost host = open.host();
        type = host.instanceType().flatMap(Facts::instance);
        String core = host.devices().get(0).physicalCores().get(0).toString();
        layout = host.driverVersion().flatMap(version -> Facts.layoutOf(version.text(), of -> statusNames(of, core)));
        lacks(Ability.SCRIPT);
        lackWithout(type.isPresent(), Ability.KNOWN_TYPE);
        lackWithout(type.isPresent() && layout.isPresent(), Ability.KNOWN_LAYOUT);
        lackWithout(Boolean.getBoolean("conformance.write"), Ability.WRITE);
        lackWithout(Readers.isRoot(), Ability.CLOSED_FILES);
    }

    private List<String> statusNames(Layout of, String core) {
        try {
            return tree().list(Facts.DEVICES + "/" + of.place(core + "/stats/status"));
        } catch (IOException notThere) {
            return List.of();
        }
    }

    private void lackWithout(boolean there, Ability ability) {
        if (!there) {
            lacks(ability);
        }
    }

    private Platform platform() {
        return FakeHost.opened(platform);
    }

    @Override
    HostTree tree() {
        return platform().host().tree();
    }

    @Override
    Instance type() {
        return type.orElseThrow();
    }

    @Override
    Layout layout() {
        return layout.orElseThrow();
    }

    @Override
    FakeNeuronHost fake() {
        throw new IllegalStateException(this + " is no fake of this JVM");
    }

    @Override
    MovedClock clock() {
        throw new IllegalStateException(this + " has its own clock");
    }

    @Override
    Access access() {
        return new SystemCalls(Path.of(tree().location("")));
    }

    @Override
    void published() {}

    @Override
    public void close() {
        if (platform != null) {
            platform.close();
        }
    }

    @Override
    public String toString() {
        return choice;
    }
}
