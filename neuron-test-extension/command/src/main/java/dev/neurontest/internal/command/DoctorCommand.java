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
        description = {
            "Looks at everything that tests need: driver, devices, permissions, who has cores, tools, libnrt, the JVM, and what killed JVMs have left. Changes nothing without --reap or --free.",
            "Ends with 1 when something keeps tests from running, or when --reap or --free could not do something."
        },
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
                    "first kill the processes of this user whose test JVM certainly is dead, remove its temporary folders and"
                            + " mounts, give back its cores, and say what was done")
    private boolean reap;

    @Option(
            names = "--free",
            paramLabel = "CORE",
            description =
                    "first take a core out of quarantine, by its number or its name, and say why it was there. Not while a living JVM"
                            + " has it, or a program that may use it is seen")
    private @Nullable String free;

    @Override
    public Integer call() {
        Diagnosis diagnosis = Doctor.examine(
                host.settings(), System.getenv(), Runtime.version().feature(), reap, Optional.ofNullable(free));
        print(
                json
                        ? DiagnosisText.json(diagnosis)
                        : DiagnosisText.of(diagnosis, program().style()));
        return diagnosis.isWell() ? ExitStatus.PASSED : ExitStatus.FAILED;
    }
}
