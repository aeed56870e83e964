package dev.neurontest.internal.configuration;

import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The part of a suite that this JVM runs, as given by the setting {@code neuron.test.shard}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface ShardChoice {

    /** The whole suite. */
    record None() implements ShardChoice {}

    /**
     * The shard given by the environment variables of the engine that started the job.
     *
     * @param count the number of shards; empty to use the engine's number
     */
    record Auto(OptionalInt count) implements ShardChoice {}

    /**
     * A given shard of several.
     *
     * @param index the number of the shard, from 1
     * @param count the number of shards
     */
    record Fixed(int index, int count) implements ShardChoice {}

    /** Maximum number of shards of a suite. */
    int MOST = 100_000;

    /** The accepted texts. */
    String EXPECTED =
            "such as 3/8 for the third of 8, auto for the shard of Slurm, GitLab, CircleCI or Bazel, auto/8 for Kubernetes, or none";

    /**
     * Parses a choice.
     *
     * @param text as in {@link #EXPECTED}
     * @throws IllegalArgumentException if the text is invalid; the message contains the reason
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
            throw new IllegalArgumentException("it does not have the form NUMBER/COUNT");
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
