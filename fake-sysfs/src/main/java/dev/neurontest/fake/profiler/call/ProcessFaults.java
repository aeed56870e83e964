package dev.neurontest.fake.profiler.call;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apiguardian.api.API;

/** What happens to a process beside its work, when a script says so. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessFaults {

    private static final byte[] NO_UTF8 = {'l', 'o', 'g', ' ', (byte) 0xff, (byte) 0xfe, (byte) 0xc3, '(', '\n'};

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
        if (has(Effect.IGNORE_TERM)) {
            Runtime.getRuntime().addShutdownHook(new Thread(ProcessFaults::waitForever));
        }
        for (Script each : call.scripts()) {
            if (each.effect() == Effect.LOG && each.effect().happensTo(each.arguments(), stage)) {
                invocation.err().println(Script.text(each.arguments().get(1)));
            }
        }
        if (has(Effect.NOT_UTF8)) {
            invocation.err().write(NO_UTF8, 0, NO_UTF8.length);
            invocation.out().write(NO_UTF8, 0, NO_UTF8.length);
        }
    }

    /**
     * What happens when half of the work is done.
     *
     * @throws IOException when the command cannot kill itself
     */
    public void inTheMiddle() throws IOException {
        if (has(Effect.KILLED)) {
            invocation.out().flush();
            invocation.err().flush();
            new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start();
            waitForever();
        }
        if (has(Effect.HANG)) {
            invocation.out().flush();
            invocation.err().flush();
            waitForever();
        }
    }

    /**
     * Whether the disk is full when half is written.
     *
     * @return true when it is
     */
    public boolean diskFull() {
        return has(Effect.DISK_FULL);
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
