package dev.neurontest.internal.device.kernel;

import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of dmesg. With {@code -r} all versions of util-linux and BusyBox print {@code <3>[   65.345678] text}; some kernels add the
 * caller in brackets.
 *
 * @param command the program with its arguments
 * @param deadline the limit of its run time
 */
record Dmesg(List<String> command, Duration deadline) implements KernelLog.Messages {

    private static final Pattern MESSAGE =
            Pattern.compile("<[0-9]{1,9}>\\[ *([0-9]{1,12})\\.([0-9]{6})\\](?:\\[ *[TC][0-9]+\\])? (.*)");
    private static final int KEPT = 1 << 16;

    Dmesg() {
        this(List.of("dmesg", "-r"), Duration.ofSeconds(10));
    }

    @Override
    public void read(KernelLog.Sink sink) throws IOException {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        List<String> errors = Collections.synchronizedList(new ArrayList<>());
        ChildEnd end;
        try (ChildProcess dmesg = ChildProcess.command(command)
                .deadline(deadline)
                .outputLimit(KEPT)
                .listener(
                        line -> {
                            if (line.contains(KernelLine.RECORD) || line.contains(KernelLine.DRIVER)) {
                                lines.add(line.stripTrailing());
                            }
                        },
                        errors::add)
                .start()) {
            end = dmesg.await(null);
        } catch (ProgramNotStartedException none) {
            throw new IOException(none.getMessage(), none);
        }
        if (end.cause() != ChildEnd.Cause.EXITED) {
            throw new IOException("%s did not end within %s s".formatted(command.get(0), deadline.toSeconds()));
        }
        if (end.exitCode().isEmpty() || end.exitCode().get().value() != 0) {
            throw new IOException(errors.stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .findFirst()
                    .orElseGet(() -> command.get(0) + " ended with "
                            + end.exitCode().map(Object::toString).orElse("no exit code")));
        }
        for (String line : lines) {
            Matcher message = MESSAGE.matcher(line);
            if (message.matches()) {
                sink.message(
                        Duration.ofSeconds(Long.parseLong(message.group(1)))
                                .plus(Long.parseLong(message.group(2)), ChronoUnit.MICROS),
                        message.group(3));
            }
        }
    }
}
