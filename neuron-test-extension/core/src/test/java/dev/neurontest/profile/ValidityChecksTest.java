package dev.neurontest.profile;

import static dev.neurontest.profile.TraceOrigin.CAPTURED;
import static dev.neurontest.profile.TraceOrigin.GIVEN;
import static dev.neurontest.profile.TraceOrigin.PAIRED_BY_NAME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.profile.tool.ToolLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValidityChecksTest {

    private static final Path NEFF = Path.of("/models/a.neff");
    private static final Path NTFF = Path.of("/out/profile_exec_2.ntff");

    private static Optional<NeffHeader> compiled(String uuid) {
        return Optional.of(new NeffHeader("a.neff", uuid, "", 1, 1, false));
    }

    private static Optional<NtffHeader> executed(Optional<String> uuid, long notificationBytes, boolean cut) {
        return Optional.of(new NtffHeader(
                5, Optional.empty(), uuid, List.of(), Optional.empty(), Optional.empty(), notificationBytes, cut));
    }

    private static NtffHeader.Reading read(long notificationBytes, boolean cut, @Nullable String problem) {
        return new NtffHeader.Reading(
                executed(Optional.of("aa"), notificationBytes, cut), Optional.ofNullable(problem));
    }

    private static ProfileSummary summary(Map<String, Object> values) {
        return new ProfileSummary("n_1", new TreeMap<>(values), List.of());
    }

    private static Optional<String> throttled(Map<String, Object> values) {
        return ValidityChecks.throttled(summary(values), 0.05).map(Doubt::reason);
    }

    @Test
    void doubtATraceOfAnotherNeff() {
        // when
        Optional<Doubt> doubt =
                ValidityChecks.otherNeff(NEFF, compiled("aa"), NTFF, executed(Optional.of("bb"), 16, false), CAPTURED);

        // then
        assertThat(doubt)
                .contains(
                        new Doubt(
                                Doubt.Kind.OTHER_NEFF,
                                "/out/profile_exec_2.ntff was made by a NEFF with UUID bb, but /models/a.neff has UUID aa. Use the NEFF that was executed, and check for a stale file."));
    }

    @Test
    void compareAUuidUpToItsFirstZeroByte() {
        // given: the two of 41 genuine NEFFs with a zero byte in their UUID, and the rest of it in their NTFFs
        Optional<NeffHeader> four = compiled("db6e2c1f004a4f1f8a2b3c4d5e6f7081");
        Optional<NeffHeader> thirteen = compiled("ce4a538806634f08806c5ef3f100d0ff");

        // then
        assertThat(ValidityChecks.otherNeff(NEFF, four, NTFF, executed(Optional.of("db6e2c1f"), 16, false), GIVEN))
                .isEmpty();
        assertThat(ValidityChecks.otherNeff(
                        NEFF, thirteen, NTFF, executed(Optional.of("ce4a538806634f08806c5ef3f1"), 16, false), GIVEN))
                .isEmpty();
        assertThat(ValidityChecks.otherNeff(
                                NEFF, thirteen, NTFF, executed(Optional.of("db6e2c1f"), 16, false), CAPTURED)
                        .map(Doubt::kind))
                .contains(Doubt.Kind.OTHER_NEFF);
        assertThat(ValidityChecks.otherNeff(NEFF, four, NTFF, executed(Optional.of("db6e2c1f11"), 16, false), CAPTURED)
                        .map(Doubt::kind))
                .as("more than the NEFF has before its zero byte")
                .contains(Doubt.Kind.OTHER_NEFF);
        assertThat(ValidityChecks.otherNeff(
                                NEFF,
                                compiled("db6e2c1f114a4f1f8a2b3c4d5e6f7081"),
                                NTFF,
                                executed(Optional.of("db6e2c1f"), 16, false),
                                CAPTURED)
                        .map(Doubt::kind))
                .as("less, although the NEFF has no zero byte")
                .contains(Doubt.Kind.OTHER_NEFF);
    }

    private static Optional<Doubt> withoutUuid(String uuidOfNeff, TraceOrigin origin) {
        return ValidityChecks.otherNeff(
                NEFF, compiled(uuidOfNeff), NTFF, executed(Optional.empty(), 16, false), origin);
    }

    @Test
    void otherNeffDoubtsGivenTraceOfUuidWithLeadingZero() {
        // then
        assertThat(withoutUuid("00aa", GIVEN))
                .contains(
                        new Doubt(
                                Doubt.Kind.UNPROVEN_NEFF,
                                "/out/profile_exec_2.ntff does not show which NEFF made it: the UUID of /models/a.neff begins with a zero byte (00aa), and a trace does not store such a UUID. Capture the NEFF with @ProfileNeff or profiler.capture(...), which proves it, or compile it again, which changes its UUID."));
    }

    @Test
    void otherNeffAcceptsOwnCaptureOfUuidWithLeadingZero() {
        // then
        assertThat(withoutUuid("00aa", CAPTURED)).isEmpty();
        assertThat(withoutUuid("00aa", PAIRED_BY_NAME)).isEmpty();
        assertThat(withoutUuid("00".repeat(16), CAPTURED)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void otherNeffDoubtsTraceWithUuidOfNeffWithLeadingZero(TraceOrigin origin) {
        // then
        assertThat(ValidityChecks.otherNeff(
                                NEFF, compiled("00aa"), NTFF, executed(Optional.of("aa"), 16, false), origin)
                        .map(Doubt::kind))
                .contains(Doubt.Kind.OTHER_NEFF);
    }

    @ParameterizedTest
    @EnumSource
    void otherNeffDoubtsTraceWithoutUuidOfOrdinaryNeff(TraceOrigin origin) {
        // then
        assertThat(withoutUuid("aa", origin))
                .contains(
                        new Doubt(
                                Doubt.Kind.UNPROVEN_NEFF,
                                "/out/profile_exec_2.ntff does not show which NEFF made it: it contains no UUID, but the UUID of /models/a.neff is aa. Capture it again, and check for a stale file."));
    }

    @Test
    void weakProofNamesHowFewBytesAreKept() {
        // then
        assertThat(ValidityChecks.weakProof(NTFF, executed(Optional.of("db6e2c"), 16, false), GIVEN))
                .contains(
                        "/out/profile_exec_2.ntff keeps 3 of the 16 bytes of its NEFF's UUID, which has a zero byte: it probably belongs to the NEFF, but this is not certain.");
        assertThat(ValidityChecks.weakProof(NTFF, executed(Optional.of("db6e2c1f"), 16, false), GIVEN))
                .isEmpty();
        assertThat(ValidityChecks.weakProof(NTFF, executed(Optional.empty(), 16, false), PAIRED_BY_NAME))
                .hasValueSatisfying(notice -> assertThat(notice).contains("keeps 0 of the 16 bytes"));
        assertThat(ValidityChecks.weakProof(NTFF, executed(Optional.empty(), 16, false), GIVEN))
                .as("a doubt says more")
                .isEmpty();
        assertThat(ValidityChecks.weakProof(NTFF, executed(Optional.of("db"), 16, false), CAPTURED))
                .as("proven by the capture")
                .isEmpty();
    }

    @Test
    void compareNoUuidWithoutAHeader() {
        // then
        assertThat(ValidityChecks.otherNeff(NEFF, compiled("aa"), NTFF, executed(Optional.of("aa"), 16, false), GIVEN))
                .isEmpty();
        assertThat(ValidityChecks.otherNeff(NEFF, compiled("aa"), NTFF, Optional.empty(), GIVEN))
                .isEmpty();
        assertThat(ValidityChecks.otherNeff(
                        NEFF, Optional.empty(), NTFF, executed(Optional.of("bb"), 16, false), GIVEN))
                .isEmpty();
    }

    @Test
    void doubtATraceThatIsEmptyOrCut() {
        // then
        assertThat(ValidityChecks.incomplete(NTFF, 0, read(16, false, null)))
                .contains(
                        new Doubt(
                                Doubt.Kind.INCOMPLETE_TRACE,
                                "/out/profile_exec_2.ntff is empty. The core was opened and never used, the tool or workload was killed, or the disk was full."));
        assertThat(ValidityChecks.incomplete(NTFF, 100, read(16, true, "/out/profile_exec_2.ntff is cut.")))
                .contains(new Doubt(Doubt.Kind.INCOMPLETE_TRACE, "/out/profile_exec_2.ntff is cut."));
        assertThat(ValidityChecks.incomplete(NTFF, 100, read(0, false, null)))
                .contains(
                        new Doubt(
                                Doubt.Kind.INCOMPLETE_TRACE,
                                "/out/profile_exec_2.ntff contains no notification of the device: nothing was traced. Capture it again."));
        assertThat(ValidityChecks.incomplete(NTFF, 100, read(16, false, null))).isEmpty();
    }

    @Test
    void doubtATraceThatIsNotUnderstood() {
        // then
        assertThat(ValidityChecks.incomplete(NTFF, 100, read(16, false, "It has a message that cannot be understood.")))
                .contains(new Doubt(Doubt.Kind.UNREADABLE, "It has a message that cannot be understood."));
        assertThat(ValidityChecks.incomplete(
                        NTFF, 100, new NtffHeader.Reading(Optional.empty(), Optional.of("It is no NTFF."))))
                .contains(new Doubt(Doubt.Kind.UNREADABLE, "It is no NTFF."));
    }

    @Test
    void doubtImpossibleNumbers() {
        // given
        Optional<Duration> traced = Optional.of(Duration.ofMillis(17));

        // then
        assertThat(ValidityChecks.impossible(
                        NTFF,
                        summary(Map.of("total_time", 0.0, "total_exec_time", 0.0, "total_active_time", 0.0)),
                        Optional.empty()))
                .contains(
                        new Doubt(
                                Doubt.Kind.IMPOSSIBLE_NUMBERS,
                                "The tool wrote impossible values for /out/profile_exec_2.ntff: total_time is 0; total_exec_time is 0; total_active_time is 0. View it by hand with another version of the tool, or capture it again."));
        assertThat(ValidityChecks.impossible(NTFF, summary(Map.of("total_time", -1.0)), Optional.empty()))
                .isPresent();
        assertThat(ValidityChecks.impossible(
                                NTFF,
                                summary(Map.of("total_time", 0.016, "total_active_time", 0.0161)),
                                Optional.empty())
                        .map(Doubt::reason))
                .hasValueSatisfying(reason ->
                        assertThat(reason).contains("total_active_time (0.0161 s) is more than total_time (0.016 s)"));
        assertThat(ValidityChecks.impossible(NTFF, summary(Map.of("total_time", 0.016)), traced)
                        .map(Doubt::reason))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("total_time (0.016 s) is less than the trace itself lasts (0.017 s)"));
        assertThat(ValidityChecks.impossible(
                        NTFF,
                        summary(Map.of("total_time", 0.017, "total_active_time", 0.017, "total_exec_time", -1.0)),
                        traced))
                .as("a negative number means that it is not available")
                .isEmpty();
    }

    @Test
    void reportTotalLongerThanTrace() {
        // given
        Optional<Duration> traced = Optional.of(Duration.ofMillis(17));

        // then
        assertThat(ValidityChecks.longerThanItsTrace(NTFF, summary(Map.of("total_time", 0.02)), traced))
                .contains("total_time of /out/profile_exec_2.ntff is 0.02 s, but the trace itself lasts 0.017 s.");
        assertThat(ValidityChecks.longerThanItsTrace(NTFF, summary(Map.of("total_time", 0.018)), traced))
                .isEmpty();
    }

    @Test
    void doubtEmptySummary() {
        // then
        assertThat(ValidityChecks.empty(NTFF, summary(Map.of("event_count", 0.0, "trace_count", 0.0))))
                .contains(
                        new Doubt(
                                Doubt.Kind.INCOMPLETE_TRACE,
                                "trace_count and event_count of /out/profile_exec_2.ntff is 0: nothing was traced. Capture it again."));
        assertThat(ValidityChecks.empty(NTFF, summary(Map.of("event_count", 1.0))))
                .isEmpty();
        assertThat(ValidityChecks.empty(NTFF, summary(Map.of()))).isEmpty();
    }

    @Test
    void missingDataDoubtsAllOrOnlyDma() {
        // given
        ToolLog log = new ToolLog("""
                Warning: 17 trace events were dropped
                Notification from block DMA of type DMA were dropped. This can cause corresponding data to be incorrect.
                """);

        // then
        assertThat(ValidityChecks.missingData("view", log))
                .containsExactly(
                        new Doubt(
                                Doubt.Kind.DROPPED_NOTIFICATIONS,
                                "view reported that data are missing: \"Warning: 17 trace events were dropped\". Numbers computed from them are wrong: trace less, such as without dgeNotifications(), or raise NEURON_RT_PROFILE_BUF_..._MB."),
                        new Doubt(
                                Doubt.Kind.DOUBTFUL_DMA,
                                "view reported that figures of DMA are inaccurate: \"Notification from block DMA of type DMA were dropped. This can cause corresponding data to be incorrect.\". Expectations on DMA, HBM, spilled bytes and numbers computed from them are undecided. Capture it again with dgeNotifications() where metadata are missing, or trace less where notifications were dropped."));
    }

    @Test
    void missingDataIgnoresColumnsWithoutTable() {
        // then
        assertThat(
                        ValidityChecks.missingData(
                                "view",
                                new ToolLog(
                                        "Schema validation: Unexpected key 'subgraph' cannot be saved to table 'TimelineAnnotation' because no schema.yaml entry exists or no key name remapping. This key and value will be dropped and not found in parquet output.")))
                .isEmpty();
    }

    @Test
    void doubtThrottlingOfAnyCore() {
        // when
        Optional<String> reason = throttled(Map.of(
                "throttle_activity_1_active_time_nc4_percent", 0.842,
                "throttle_activity_1_avg_util_limit_nc4_percent", 0.633,
                "throttle_periodic_active_time_nc0_percent", 0.05,
                "throttle_periodic_avg_util_limit_nc0_percent", 0.9,
                "throttle_unknown_active_time_nc0_percent", 0.0499));

        // then
        assertThat(reason)
                .contains(
                        "The device was throttled: 5 % of the time by periodic on nc0, limit 90 %; 84.2 % of the time by activity_1 on nc4, limit 63.3 % (doubtful from 5 %). The cause may be heat or power: let the device cool down, or allow more captures with recaptures(n) or neuron.test.profile.recaptures.");
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.0967, 253})
    void ignoreThrottleLimitOfFullUtilization(double limit) {
        // then
        assertThat(throttled(Map.of(
                        "throttle_periodic_active_time_nc0_percent",
                        0.29,
                        "throttle_periodic_avg_util_limit_nc0_percent",
                        limit)))
                .isEmpty();
    }

    @Test
    void doubtUnreadableThrottling() {
        // then
        assertThat(ValidityChecks.throttled(
                                new ProfileSummary(
                                        "n_1", Map.of(), List.of("throttle_unknown_active_time_nc0_percent: NaN")),
                                0.05)
                        .map(Doubt::reason))
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("an unknown part of the time by unknown on nc0"));
    }

    @Test
    void readThrottlingOutOfGenuineSummaries() {
        // then
        assertThat(ValidityChecks.throttled(
                                SampleFixture.summary("summary-json_derived_trn2_2.25_transpose_1024.json"), 0.05)
                        .map(Doubt::reason))
                .contains(
                        "The device was throttled: 27.1 % of the time by activity_1 on nc0, limit 50 % (doubtful from 5 %). An activity limiter depends on the program, not on heat: judge counts and bytes, or compare its times with a baseline, which belongs to one class of throttling. For limits on times, throttled=... in neuron.test.undecided decides the result.");
        assertThat(ValidityChecks.throttled(SampleFixture.summary("summary-json_partial_inf2_2.28_matvec.json"), 0.05))
                .isEmpty();
    }
}
