package dev.neurontest.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What picocli has told a command of itself. */
final class Specs {

    private Specs() {}

    static CommandSpec required(@Nullable CommandSpec injected) {
        if (injected == null) {
            throw new IllegalStateException("picocli has not set the command up");
        }
        return injected;
    }
}
