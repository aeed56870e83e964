package dev.neurontest.fake.internal.profiler.call;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apiguardian.api.API;

/** The scripted faults of a process, which are independent of its work. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessFaults {

    private final Call call;
    private final Effect.Stage stage;
    private final Invocation invocation;

    /**
     * Creates the faults of a command.
     *
     * @param call the host's answer, with the scripts
     * @param stage the command
     * @param invocation the invocation of the command
     */
    public ProcessFaults(Call call, Effect.Stage stage, Invocation invocation) {
        this.call = call;
        this.stage = stage;
        this.invocation = invocation;
    }

    private boolean has(Effect effect) {
        return call.scripts().stream()
                .anyMatch(each -> each.effect() == effect && effect.happensTo(each.arguments(), stage));
    }

    /** Logs the scripted lines before the command starts its work. */
    public void begin() {
        for (Script each : call.scripts()) {
            if (each.effect() == Effect.LOG && each.effect().happensTo(each.arguments(), stage)) {
                invocation.err().println(Script.text(each.arguments().get(1)));
            }
        }
    }

    /**
     * Kills the process in the middle of its work, or makes it hang, if that is scripted.
     *
     * @throws IOException if the command cannot kill itself
     */
    public void inTheMiddle() throws IOException {
        invocation.out().flush();
        invocation.err().flush();
        if (has(Effect.KILLED)) {
            new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start();
            waitForever();
        }
        if (has(Effect.HANG)) {
            waitForever();
        }
    }

    /** Waits until a signal ends the process. */
    public static void waitForever() {
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ignored) {
                // Only a test that calls the command in its own JVM interrupts this thread.
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
