package dev.neurontest.internal.shard;

import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.configuration.ConfiguredValue;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.configuration.ShardChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The shard of a JVM with its plan and data.
 *
 * @param shard the shard
 * @param plan the assignment of classes to shards
 * @param timings the timings of the plan
 * @param code the name of the code version in the settings; empty to use the class files
 * @param attempt the start of the job
 * @param notices notices for the readers of the report
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Sharding(
        Shard shard, ShardPlan plan, Timings timings, Optional<String> code, JobAttempt attempt, List<String> notices) {

    /** The variable with a file that Bazel requires as a sign of support for shards. */
    private static final String STATUS_FILE = "TEST_SHARD_STATUS_FILE";

    /** Creates the record with a copy of the notices. */
    public Sharding {
        notices = List.copyOf(notices);
    }

    /**
     * Creates the sharding for the settings.
     *
     * @param environment the environment variables, which engines set
     * @return empty if the whole suite runs
     * @throws BadSettingException if the shard is unknown, or the timings file cannot be read
     */
    public static Optional<Sharding> of(Settings settings, Map<String, String> environment) {
        ConfiguredValue<ShardChoice> choice = settings.get(Setting.SHARD);
        List<String> notices = new ArrayList<>();
        Shard shard;
        if (choice.value() instanceof ShardChoice.Fixed fixed) {
            shard = new Shard(fixed.index(), fixed.count());
        } else if (choice.value() instanceof ShardChoice.Auto auto) {
            shard = auto(auto, choice, environment, notices);
        } else {
            return Optional.empty();
        }
        Timings timings = timings(settings);
        return Optional.of(new Sharding(
                shard,
                new ShardPlan(shard.count(), timings),
                timings,
                settings.value(Setting.SHARD_CODE),
                JobAttempt.of(environment),
                notices));
    }

    private static Shard auto(
            ShardChoice.Auto auto,
            ConfiguredValue<ShardChoice> choice,
            Map<String, String> environment,
            List<String> notices) {
        EngineShard engineShard;
        try {
            engineShard = EngineShard.of(environment, auto.count());
        } catch (IllegalArgumentException unknown) {
            throw choice.refused(String.valueOf(unknown.getMessage()));
        }
        if (!engineShard.others().isEmpty()) {
            notices.add(
                    "This is shard %s according to the variables of %s. The variables of %s are also set, but ignored."
                            .formatted(
                                    engineShard.shard(),
                                    engineShard.engine(),
                                    engineShard.others().stream()
                                            .map(String::valueOf)
                                            .collect(Collectors.joining(" and "))));
        }
        if (engineShard.engine() == EngineShard.Engine.BAZEL) {
            touch(environment.get(STATUS_FILE), notices);
        }
        return engineShard.shard();
    }

    private static void touch(@Nullable String file, List<String> notices) {
        try {
            if (file != null) {
                Files.write(Path.of(file), new byte[0], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        } catch (IOException | InvalidPathException refused) {
            notices.add("The file %s of Bazel (%s) could not be touched: %s.".formatted(file, STATUS_FILE, refused));
        }
    }

    private static Timings timings(Settings settings) {
        ConfiguredValue<Optional<Path>> file = settings.get(Setting.SHARD_TIMINGS);
        if (file.value().isEmpty()) {
            return Timings.NONE;
        }
        try {
            return Timings.read(file.value().get());
        } catch (IllegalArgumentException unusable) {
            throw file.refused(String.valueOf(unusable.getMessage()));
        }
    }
}
