package dev.neurontest.internal.configuration;

import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Which part of a suite this JVM runs, as the setting {@code neuron.test.shard} says it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface ShardChoice {

    /** All of it. */
    record None() implements ShardChoice {}

    /**
     * The shard that the engine that started the job names by its variables.
     *
     * @param count how many shards there are; empty to believe the engine
     */
    record Auto(OptionalInt count) implements ShardChoice {}

    /**
     * One of several shards.
     *
     * @param index which, from 1
     * @param count how many there are
     */
    record Fixed(int index, int count) implements ShardChoice {}

    /** How many shards a suite may have at most. */
    int MOST = 100_000;

    /** What can be written. */
    String EXPECTED =
            "such as 3/8 for the third of 8, auto for what Slurm, GitLab, CircleCI or Bazel say, auto/8 for Kubernetes, or none";

    /**
     * Reads what was written.
     *
     * @param text as {@link #EXPECTED} says
     * @return what it means
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static ShardChoice parse(String text) {
        String choice = text.toLowerCase(Locale.ROOT);
        if (choice.equals("none")) {
            return new None();
        }
        if (choice.equals("auto")) {
            return new Auto(OptionalInt.empty());
        }
        Matcher numbers = Pattern.compile("(auto|[0-9]{1,9})/([0-9]{1,9})").matcher(choice);
        if (!numbers.matches()) {
            throw new IllegalArgumentException("it is no number, /, and how many shards there are");
        }
        int count = Integer.parseInt(numbers.group(2));
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("there are 1 to %s shards".formatted(MOST));
        }
        if (numbers.group(1).equals("auto")) {
            return new Auto(OptionalInt.of(count));
        }
        int index = Integer.parseInt(numbers.group(1));
        if (index < 1) {
            throw new IllegalArgumentException("the first shard is 1");
        }
        if (index > count) {
            throw new IllegalArgumentException("the last shard is %1$s, which is %1$s/%1$s".formatted(count));
        }
        return new Fixed(index, count);
    }
}
