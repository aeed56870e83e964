package dev.neurontest.command;

import dev.neurontest.command.run.ExitStatus;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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

    /** What a command says that has nothing to do without a subcommand. */
    static int help(@Nullable CommandSpec injected) {
        CommandLine command = required(injected).commandLine();
        command.usage(command.getErr());
        command.getErr().flush();
        return ExitStatus.COULD_NOT_RUN;
    }

    /** Why a file was refused, in words: most exceptions of files say only which file it was. */
    static String reason(IOException refused) {
        if (refused instanceof NoSuchFileException) {
            return "there is no such file or folder";
        }
        if (refused instanceof AccessDeniedException) {
            return "this user has no right to it";
        }
        if (refused instanceof FileAlreadyExistsException) {
            return "there is a file where a folder should be";
        }
        String reason = refused instanceof FileSystemException file ? file.getReason() : refused.getMessage();
        return reason == null ? refused.toString() : reason;
    }
}
