package dev.neurontest.internal.workload;

import dev.neurontest.device.Family;
import dev.neurontest.internal.print.child.ChildPrints;
import dev.neurontest.internal.print.child.ProgramPrints;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The decision whether a program runs its kernels in the simulator of NKI, on the CPU, and its environment then. Only this class decides
 * that.
 *
 * @param isOn true if the kernels are simulated
 * @param variables variables for the simulator; empty without it
 * @param notices remarks for the reader
 */
@API(status = API.Status.INTERNAL)
public record Simulation(boolean isOn, Map<String, String> variables, List<String> notices) {

    private static final String SIMULATOR = "NKI_SIMULATOR";
    private static final String ON = "1";
    private static final String TARGET = "NEURON_PLATFORM_TARGET_OVERRIDE";

    private static final Simulation OFF = new Simulation(false, Map.of(), List.of());

    /**
     * Decides for one program. Its own variables have precedence over those of this JVM, which it inherits.
     *
     * @param requested true if the test requests it
     * @param family family of the host; empty without one
     * @param inherited variables of this JVM
     * @param own variables that the test sets for the program
     * @throws IllegalArgumentException when the test requests the simulator and sets a variable that turns it off
     */
    public static Simulation of(
            boolean requested, Optional<Family> family, Map<String, String> inherited, Map<String, String> own) {
        String switched = own.getOrDefault(SIMULATOR, requested ? ON : inherited.getOrDefault(SIMULATOR, ""));
        if (!switched.equals(ON)) {
            if (requested) {
                throw new IllegalArgumentException("simulated() and %s=%s contradict each other: remove one of them."
                        .formatted(SIMULATOR, switched));
            }
            return OFF;
        }
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put(SIMULATOR, ON);
        if (own.containsKey(TARGET) || inherited.containsKey(TARGET)) {
            return new Simulation(true, variables, List.of());
        }
        Optional<String> target = family.flatMap(Simulation::target);
        target.ifPresent(name -> variables.put(TARGET, name));
        return new Simulation(
                true,
                variables,
                target.isPresent()
                        ? List.of()
                        : List.of(
                                "The target of its simulator is not set, because %s: it is the chip of the machine, or trn3. Set %s to get the same results on all hosts."
                                        .formatted(
                                                family.filter(known -> known != Family.UNKNOWN)
                                                        .map(known -> "the simulator has none for " + known)
                                                        .orElse("the family of the host is unknown"),
                                                TARGET)));
    }

    /** Returns the name of a target; empty for a family without a documented one. */
    private static Optional<String> target(Family family) {
        return switch (family) {
            case TRN1 -> Optional.of("trn1");
            case TRN2 -> Optional.of("trn2");
            case TRN3 -> Optional.of("trn3");
            case INF1, INF2, UNKNOWN -> Optional.empty();
        };
    }

    /**
     * Returns the environment of a simulated program. Its prints are collected apart from those of the device: from its own folder and its
     * output.
     *
     * @param given variables that every program of the test gets
     * @param own variables that the test sets for the program
     * @param folder folder of the program; empty without one
     */
    public Map<String, String> environment(Map<String, String> given, Map<String, String> own, Optional<Path> folder) {
        Map<String, String> all = new LinkedHashMap<>(given);
        if (isOn) {
            all.remove(ChildPrints.SOCKET);
            all.remove(ChildPrints.OUTPUT_DIR);
            folder.map(ProgramPrints::folderIn).ifPresent(prints -> all.put(ChildPrints.OUTPUT_DIR, prints.toString()));
            all.putAll(variables);
        }
        all.putAll(own);
        return all;
    }
}
