package dev.neurontest.fake.profiler.call;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** What happens to a process beside its work, when a script says so. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessFaults {

    private static final byte[] NO_UTF8 = {'l', 'o', 'g', ' ', (byte) 0xff, (byte) 0xfe, (byte) 0xc3, '(', '\n'};
    private static final String FLOOD_LINE = "INFO[0000] " + "0123456789".repeat(800) + "\n";

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

    /** Null when the effect is not meant for this command. */
    private @Nullable Script script(Effect effect) {
        for (Script each : call.scripts()) {
            if (each.effect() == effect && effect.happensTo(each.arguments(), stage)) {
                return each;
            }
        }
        return null;
    }

    private boolean has(Effect effect) {
        return script(effect) != null;
    }

    /** What happens before the command does anything. */
    public void begin() {
        if (has(Effect.IGNORE_TERM)) {
            Runtime.getRuntime().addShutdownHook(new Thread(ProcessFaults::waitForever));
        }
        Script flood = script(Effect.FLOOD);
        if (flood != null) {
            long bytes = Long.parseLong(flood.arguments().get(1));
            flood(invocation.err(), bytes);
            flood(invocation.out(), bytes);
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

    private static void flood(PrintStream stream, long bytes) {
        byte[] line = FLOOD_LINE.getBytes(StandardCharsets.US_ASCII);
        for (long left = bytes; left > 0; left -= line.length) {
            stream.write(line, 0, (int) Math.min(left, line.length));
        }
        stream.println();
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

    /**
     * The code with which the command ends when nothing else is wrong.
     *
     * @param otherwise what it is when none is scripted
     * @return the code
     */
    public int exitCode(int otherwise) {
        Script exit = script(Effect.EXIT);
        return exit == null ? otherwise : (int) (Long.parseLong(exit.arguments().get(1)) & 0xff);
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
