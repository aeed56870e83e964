package dev.neurontest.internal.cluster;

import dev.neurontest.internal.configuration.ConfiguredValue;
import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.Machine;
import dev.neurontest.internal.text.VisibleText;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The choice of an engine by the setting {@code neuron.test.platform} and the allocation of this JVM. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostEngines {

    /** Variables by which Open MPI finds its host file, set for the launcher by the MPI operator of Kubernetes. */
    private static final List<String> OPEN_MPI =
            List.of("OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile");

    private HostEngines() {}

    /**
     * Chooses an engine and reads its hosts: fake hosts on this machine, a host file of the setting, a Slurm job, a host file of Open MPI,
     * or only this machine.
     *
     * @param environment the variables of this JVM
     * @throws HostEngineException if the hosts cannot be listed, with their origin
     */
    public static HostEngine of(Settings settings, Map<String, String> environment) {
        ConfiguredValue<PlatformChoice> choice = settings.get(Setting.PLATFORM);
        String setting = VisibleText.line(Setting.PLATFORM.name() + "=" + choice.text());
        if (choice.value() instanceof PlatformChoice.Fake fake && fake.hosts().isPresent()) {
            return new LocalEngine(
                    setting,
                    IntStream.range(0, fake.hosts().getAsInt())
                            .mapToObj(number -> "host" + number)
                            .toList());
        }
        boolean severalHosts =
                choice.value() instanceof PlatformChoice.Hardware || choice.value() instanceof PlatformChoice.Fake;
        Optional<HostEngine> allocation = severalHosts
                ? choice.value()
                        .hostFile()
                        .map(file -> ssh(file, ""))
                        .or(() -> slurm(environment))
                        .or(() -> openMpi(environment))
                : Optional.empty();
        return allocation.orElseGet(() -> new LocalEngine(
                severalHosts ? setting + ", without a Slurm job or a host file" : setting,
                List.of(Machine.name().filter(HostNames::isName).orElse("localhost"))));
    }

    private static Optional<HostEngine> slurm(Map<String, String> environment) {
        return Stream.of(SlurmEngine.JOB, SlurmEngine.NODES)
                        .allMatch(name -> variable(environment, name).isPresent())
                ? Optional.of(SlurmEngine.of(environment))
                : Optional.empty();
    }

    private static Optional<HostEngine> openMpi(Map<String, String> environment) {
        return OPEN_MPI.stream()
                .flatMap(name -> variable(environment, name)
                        .filter(file -> !file.equals("none"))
                        .map(file -> ssh(Path.of(file), " (" + name + ")"))
                        .stream())
                .findFirst();
    }

    private static HostEngine ssh(Path file, String origin) {
        return new SshEngine(VisibleText.line(file + origin), HostFile.read(file));
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
