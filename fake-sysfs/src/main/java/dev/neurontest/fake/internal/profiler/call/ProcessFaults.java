package dev.neurontest.fake.internal.profiler.call;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apiguardian.api.API;

/** What happens to a process beside its work, when a script says so. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessFaults {

    private final Call call;
    private final Effect.Stage stage;
    private final Invocation invocation;

    /**
     * Takes what the host has scripted.
     *
     * @param call what the host says
     * @param stage which command this is
     * @param invocation the command
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

    /** What happens before the command does anything. */
    public void begin() {
        for (Script each : call.scripts()) {
            if (each.effect() == Effect.LOG && each.effect().happensTo(each.arguments(), stage)) {
                invocation.err().println(Script.text(each.arguments().get(1)));
            }
        }
    }

    /**
     * What happens when half of the work is done.
     *
     * @throws IOException when the command cannot kill itself
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

    /** Until a signal ends the process. */
    public static void waitForever() {
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ignored) {
                // Only a test that runs it in its own process may interrupt it, and that must see it
                // hang.
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
