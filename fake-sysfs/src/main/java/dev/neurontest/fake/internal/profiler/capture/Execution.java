package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Chip;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Work;
import java.util.Random;

/**
 * One execution that is traced: how long it takes, and what else the trace must tell.
 *
 * @param work which measurements it is like
 * @param base how long an execution of this size takes that nothing disturbs, in picoseconds
 * @param picoseconds how long this one took
 * @param startUp the part of it before anything worked
 * @param throttle the fraction of the time under a limit
 * @param dropped notifications that were lost
 */
record Execution(String work, long base, long picoseconds, long startUp, double throttle, long dropped) {

    /** Execution number {@code execution}, from 1, of a worker in a call. */
    static Execution of(Call call, NeffModel model, Chip chip, int rank, int execution) {
        String name = model.work();
        Work work = Work.named(Work.NAMES.contains(name) ? name : Work.NAMES.get(0));
        long base = model.picoseconds() > 0 ? model.picoseconds() : work.totalTime();
        double throttle = number(call, Effect.THROTTLE, rank, 0);
        double tensorShare = (double) work.get("tensor_engine_active_time") / work.totalTime();
        double busy = base
                * number(call, Effect.SLOWDOWN, rank, 1)
                * noise(call, rank)
                * (1 + throttle * tensorShare * (1 / chip.throttledLimit() - 1));
        long startUp = execution > 1 ? 0 : chip.startUpPicoseconds();
        long dropped = (long) number(call, Effect.DROPPED, rank, 0);
        return new Execution(name, base, Math.round(busy) + startUp, startUp, throttle, dropped);
    }

    private static double number(Call call, Effect effect, int rank, double otherwise) {
        String text = call.argument(effect, 0, rank, "");
        return text.isEmpty() ? otherwise : Double.parseDouble(text);
    }

    private static double noise(Call call, int rank) {
        double variation = number(call, Effect.RUN_NOISE, rank, 0);
        if (variation == 0) {
            return 1;
        }
        long seed = Long.parseLong(call.argument(Effect.RUN_NOISE, 1, rank, "0"));
        Random random = new Random(seed * 1_000_003 + call.number() * 7919 + rank * 131L);
        // The first value of neighbouring seeds is nearly the same.
        random.nextDouble();
        return Math.max(0.01, 1 + variation * random.nextGaussian());
    }
}
