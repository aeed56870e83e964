package dev.neurontest.internal.configuration;

import dev.neurontest.internal.text.DurationText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** The forms of the values of settings. One parser for all forms, because a lambda for each setting would slow the start of a JVM. */
enum ValueForm {
    PLATFORM,
    PATH,
    PATH_OR_AUTO,
    PATH_OR_NONE,
    LEASE_DIRECTORY,
    TEXT_OR_AUTO,
    DURATION,
    DURATION_OR_AUTO,
    TRUTH,
    SHARE,
    RECAPTURES,
    INVOCATION,
    LNC,
    RISING_NUMBERS,
    RUNTIME_CORES,
    SHARD,
    UNDECIDED_POLICIES,
    EVIDENCE_POLICY,
    RECORD_POLICY,
    OTHER_OWNERS_POLICY,
    ATTRIBUTION_POLICY,
    MISSING_TOOL_POLICY,
    LEAK_POLICY,
    RUNTIME_CLOSING,
    WORKLOAD_PRINTS,
    CORE_NUMBERING,
    BASELINE_UPDATE;

    private static final int MOST_RECAPTURES = 100;
    private static final int MOST_RUNS = 1000;

    /**
     * Parses a value.
     *
     * @return a value of the type of the settings of this form
     * @throws IllegalArgumentException if the text is invalid; the message contains the reason
     */
    Object parse(String text) {
        return switch (this) {
            case PLATFORM -> PlatformChoice.parse(text);
            case PATH -> path(text);
            case PATH_OR_AUTO -> isAuto(text) ? Optional.empty() : Optional.of(path(text));
            case PATH_OR_NONE -> text.equalsIgnoreCase("none") ? Optional.empty() : Optional.of(path(text));
            case LEASE_DIRECTORY -> leaseDirectory(text);
            case TEXT_OR_AUTO -> isAuto(text) ? Optional.empty() : Optional.of(text);
            case DURATION -> DurationText.parse(text);
            case DURATION_OR_AUTO -> isAuto(text) ? Optional.empty() : Optional.of(DurationText.parse(text));
            case TRUTH -> truth(text);
            case SHARE -> share(text);
            case RECAPTURES -> recaptures(text);
            case INVOCATION -> invocation(text);
            case LNC -> lnc(text);
            case RISING_NUMBERS -> rising(text);
            case RUNTIME_CORES -> RuntimeCores.parse(text);
            case SHARD -> ShardChoice.parse(text);
            case UNDECIDED_POLICIES -> UndecidedPolicies.parse(text);
            case EVIDENCE_POLICY -> EnumText.parse("policy", text, EvidencePolicy.class);
            case RECORD_POLICY -> EnumText.parse("policy", text, RecordPolicy.class);
            case OTHER_OWNERS_POLICY -> EnumText.parse("policy", text, OtherOwnersPolicy.class);
            case ATTRIBUTION_POLICY -> EnumText.parse("policy", text, AttributionPolicy.class);
            case MISSING_TOOL_POLICY -> EnumText.parse("policy", text, MissingToolPolicy.class);
            case LEAK_POLICY -> EnumText.parse("policy", text, LeakPolicy.class);
            case RUNTIME_CLOSING -> EnumText.parse("moment", text, RuntimeClosing.class);
            case WORKLOAD_PRINTS -> EnumText.parse("way", text, WorkloadPrints.class);
            case CORE_NUMBERING -> EnumText.parse("map", text, CoreNumbering.class);
            case BASELINE_UPDATE -> EnumText.parse("update", text, BaselineUpdate.class);
        };
    }

    private static boolean isAuto(String text) {
        return text.equalsIgnoreCase("auto");
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(e.getReason(), e);
        }
    }

    private static Optional<Path> leaseDirectory(String text) {
        if (text.equalsIgnoreCase("default")) {
            return Optional.empty();
        }
        Path directory = path(text);
        if (!directory.isAbsolute()) {
            throw new IllegalArgumentException("JVMs with different working directories would not share it");
        }
        return Optional.of(directory);
    }

    private static OptionalInt lnc(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "1" -> OptionalInt.of(1);
            case "2" -> OptionalInt.of(2);
            case "default" -> OptionalInt.empty();
            default -> throw new IllegalArgumentException("there is no such configuration");
        };
    }

    private static double share(String text) {
        String number = text.strip();
        if (!number.endsWith("%")) {
            throw new IllegalArgumentException("it has no %, so it could also be a fraction of 1");
        }
        double percent;
        try {
            percent =
                    Double.parseDouble(number.substring(0, number.length() - 1).strip());
        } catch (NumberFormatException e) {
            throw noNumber(e);
        }
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("it is not between 0 % and 100 %");
        }
        return percent / 100;
    }

    private static int recaptures(String text) {
        int times = wholeNumber(text);
        if (times < 0 || times > MOST_RECAPTURES) {
            throw new IllegalArgumentException("it is not between 0 and " + MOST_RECAPTURES);
        }
        return times;
    }

    private static OptionalInt invocation(String text) {
        if (text.equalsIgnoreCase("all")) {
            return OptionalInt.empty();
        }
        int invocation = wholeNumber(text);
        if (invocation < 1) {
            throw new IllegalArgumentException("the first is 1");
        }
        return OptionalInt.of(invocation);
    }

    private static List<Integer> rising(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.split(",")) {
            numbers.add(wholeNumber(part));
        }
        int before = 1;
        for (int each : numbers) {
            if (each <= before || each > MOST_RUNS) {
                throw new IllegalArgumentException("the numbers do not rise from 2 to at most " + MOST_RUNS);
            }
            before = each;
        }
        return Collections.unmodifiableList(numbers);
    }

    private static int wholeNumber(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw noNumber(e);
        }
    }

    private static IllegalArgumentException noNumber(NumberFormatException cause) {
        return new IllegalArgumentException("it is not a number", cause);
    }

    private static boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("it is neither");
        };
    }
}
