package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Chip;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Work;
import java.util.Random;

/**
 * A traced execution.
 *
 * @param work name of the measurements on which it is based
 * @param base duration in picoseconds of an undisturbed execution of this size
 * @param picoseconds duration of this execution
 * @param startUp initial part of the duration, in picoseconds, in which no engine is active
 * @param throttle fraction of the time under throttling
 * @param dropped number of lost notifications
 */
record Execution(String work, long base, long picoseconds, long startUp, double throttle, long dropped) {

    /**
     * Creates the execution of a worker in a call.
     *
     * @param execution number of the execution, from 1
     */
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
        // Similar seeds have nearly the same first value.
        random.nextDouble();
        return Math.max(0.01, 1 + variation * random.nextGaussian());
    }
}
