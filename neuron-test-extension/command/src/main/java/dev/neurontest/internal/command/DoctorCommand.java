package dev.neurontest.internal.command;

import dev.neurontest.internal.command.doctor.Diagnosis;
import dev.neurontest.internal.command.doctor.DiagnosisText;
import dev.neurontest.internal.command.doctor.Doctor;
import dev.neurontest.internal.command.run.ExitStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that reports the state of a host, missing parts, and solutions. */
@Command(
        name = "doctor",
        exitCodeList = {
            "0:tests can run on the host",
            "1:something prevents tests from running, or --reap or --free failed",
            "2:the host was not examined: it cannot exist, or a setting is wrong"
        },
        description =
                "Checks everything that tests need: driver, devices, permissions, users of cores, tools, libnrt, the JVM, and leftovers of killed JVMs. Changes nothing without --reap or --free.",
        footer = {
            "",
            "Examples:",
            "  neuron-test doctor",
            "  neuron-test doctor --platform fake:trn2.48xlarge",
            "  neuron-test doctor --reap",
            "  neuron-test doctor --free=neuron0/neuron_core1",
            "  neuron-test doctor --json | jq '.findings[] | select(.level != \"ok\") | .code'"
        })
final class DoctorCommand extends Subcommand {

    @Mixin
    private HostOption host = new HostOption();

    @Option(names = "--json", description = "for programs")
    private boolean json;

    @Option(
            names = "--reap",
            description =
                    "first kill this user's processes of test JVMs that are certainly dead, remove the temporary folders and mounts of"
                            + " these JVMs, release their cores, and print each action")
    private boolean reap;

    @Option(
            names = "--free",
            paramLabel = "CORE",
            description =
                    "first take a core out of quarantine, by its number or its name, and print why it was there. Refused while a living JVM holds"
                            + " the core, or a program that may use it is found")
    private @Nullable String free;

    @Override
    public Integer call() {
        Diagnosis diagnosis = Doctor.examine(
                host.settings(), System.getenv(), Runtime.version().feature(), reap, Optional.ofNullable(free));
        print(
                json
                        ? DiagnosisText.json(diagnosis)
                        : DiagnosisText.of(diagnosis, program().style()));
        if (!diagnosis.isOfHost()) {
            return ExitStatus.COULD_NOT_RUN;
        }
        return diagnosis.isWell() ? ExitStatus.PASSED : ExitStatus.FAILED;
    }
}
