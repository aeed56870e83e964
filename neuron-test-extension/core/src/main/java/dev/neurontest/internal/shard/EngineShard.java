package dev.neurontest.internal.shard;

import dev.neurontest.internal.configuration.ShardChoice;
import dev.neurontest.internal.text.CountText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The shard that an engine assigned to this job.
 *
 * @param shard the shard
 * @param engine the engine with the used variables
 * @param others other engines with complete variables, which are ignored
 */
record EngineShard(Shard shard, Engine engine, List<Engine> others) {

    /**
     * The engines in the order of their precedence. The array of a scheduler is first, because it is made for this. A CI server
     * might enclose it.
     */
    enum Engine {
        SLURM("Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"),
        KUBERNETES("Kubernetes", "JOB_COMPLETION_INDEX"),
        GITLAB("GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL"),
        CIRCLECI("CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL"),
        BAZEL("Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS");

        private final String people;
        private final List<String> variables;

        Engine(String people, String... variables) {
            this.people = people;
            this.variables = List.of(variables);
        }

        @Override
        public String toString() {
            return people;
        }
    }

    private static final String STEP = "SLURM_ARRAY_TASK_STEP";
    private static final String LAST = "SLURM_ARRAY_TASK_MAX";

    /**
     * Finds the shard in the environment variables of the engines.
     *
     * @param count the number of shards in the settings, which must match the engine's number
     * @throws IllegalArgumentException if no engine has set all required variables, or a value is impossible; the message names
     *     the variables
     */
    static EngineShard of(Map<String, String> environment, OptionalInt count) {
        List<Engine> complete = new ArrayList<>();
        for (Engine engine : Engine.values()) {
            boolean counted = engine != Engine.KUBERNETES || count.isPresent();
            if (counted && environment.keySet().containsAll(engine.variables)) {
                complete.add(engine);
            }
        }
        if (complete.isEmpty()) {
            throw new IllegalArgumentException(nothing(environment));
        }
        Engine first = complete.get(0);
        return new EngineShard(
                new Variables(environment, first).shard(count), first, complete.subList(1, complete.size()));
    }

    private static String nothing(Map<String, String> environment) {
        String expected = List.of(Engine.values()).stream()
                .map(engine -> "%s of %s".formatted(String.join(" and ", engine.variables), engine))
                .collect(Collectors.joining(", "));
        String present = List.of(Engine.values()).stream()
                .flatMap(engine -> engine.variables.stream())
                .filter(environment::containsKey)
                .collect(Collectors.joining(", "));
        String advice = environment.containsKey(Engine.KUBERNETES.variables.get(0))
                ? "; Kubernetes provides no count, so set neuron.test.shard to auto/8 if the Job has 8 completions"
                : "";
        return "no engine provides the number of this shard: looked for %s; found %s%s"
                .formatted(expected, present.isEmpty() ? "none of them" : present + " alone", advice);
    }

    /** The variables of an engine, as numbers. */
    private record Variables(Map<String, String> environment, Engine engine) {

        Shard shard(OptionalInt expected) {
            String index = engine.variables.get(0);
            int number = number(index);
            int count = engine == Engine.KUBERNETES ? expected.orElseThrow() : number(engine.variables.get(1));
            int first = switch (engine) {
                case SLURM -> number(engine.variables.get(2));
                case GITLAB -> 1;
                default -> 0;
            };
            int step = engine == Engine.SLURM ? Math.max(1, optional(STEP).orElse(1)) : 1;
            if (expected.isPresent() && expected.getAsInt() != count) {
                throw new IllegalArgumentException("%s has %s (%s), but neuron.test.shard has %s"
                        .formatted(engine, CountText.of(count, "shard"), engine.variables.get(1), expected.getAsInt()));
            }
            if (count < 1 || count > ShardChoice.MOST) {
                throw new IllegalArgumentException(
                        "%s is %s, expected 1 to %s".formatted(engine.variables.get(1), count, ShardChoice.MOST));
            }
            gaps(first, step, count);
            int from = number - first;
            if (from < 0 || from % step != 0 || from / step >= count) {
                throw new IllegalArgumentException("%s is %s, which is not one of %s from %s%s"
                        .formatted(
                                index,
                                number,
                                CountText.of(count, "shard"),
                                first,
                                step == 1 ? "" : " in steps of " + step));
            }
            return new Shard(from / step + 1, count);
        }

        /** Rejects an array with gaps. An array such as 1,5,7 has no regular steps, so the position of a task in it is unknown. */
        private void gaps(int first, int step, int count) {
            Optional<Integer> last = engine == Engine.SLURM ? optional(LAST) : Optional.empty();
            if (last.filter(each -> (long) each - first != (long) (count - 1) * step)
                    .isPresent()) {
                throw new IllegalArgumentException(
                        "the Slurm array from %s to %s has gaps: it has %s tasks. For a part of an array, set the shard itself, such as %s/8"
                                .formatted(first, last.get(), count, first));
            }
        }

        private Optional<Integer> optional(String name) {
            return environment.containsKey(name) ? Optional.of(number(name)) : Optional.empty();
        }

        private int number(String name) {
            @Nullable String text = environment.get(name);
            try {
                return Integer.parseInt(text == null ? "" : text.strip());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("%s is \"%s\", which is not a number".formatted(name, text), e);
            }
        }
    }
}
