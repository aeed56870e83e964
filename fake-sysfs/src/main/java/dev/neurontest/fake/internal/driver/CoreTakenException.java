package dev.neurontest.fake.internal.driver;

import java.util.Map;
import java.util.stream.Collectors;

/** Thrown when another process holds a requested core. */
final class CoreTakenException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final transient Map<Core, RuntimeProcess> holders;

    CoreTakenException(Map<Core, RuntimeProcess> holders) {
        super(holders.entrySet().stream()
                .map(taken -> taken.getKey() + " is taken by " + taken.getValue())
                .collect(Collectors.joining(", ")));
        this.holders = holders;
    }

    boolean isTaken(Core core) {
        return holders.containsKey(core);
    }
}
