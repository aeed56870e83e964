package dev.neurontest.internal.evidence;

import static dev.neurontest.internal.evidence.EventsFixture.TEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Measurement;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunLineTest {

    private static final Instant TIME = Instant.parse("2026-11-21T09:30:00.123456Z");

    static Stream<RunEvent> events() {
        return EventsFixture.one_of_each_type().stream();
    }

    private static String written(RunEvent event) {
        return new String(new LineWriter().next(TIME, event, LineWriter.members(event)), StandardCharsets.UTF_8);
    }

    private static @Nullable RunLine line(String text) {
        return new LineReader().next(text.strip().getBytes(StandardCharsets.UTF_8));
    }

    private static RunEvent read(String text) {
        RunLine read = line(text);
        assertThat(read).isNotNull();
        return read.event();
    }

    @Test
    void everyEventReadsBackAfterAnyOther() {
        // given
        LineWriter writer = new LineWriter();
        LineReader reader = new LineReader();
        List<RunEvent> events = new ArrayList<>();
        events().forEach(first -> events().forEach(second -> events.addAll(List.of(first, second))));

        for (RunEvent event : events) {
            // when
            byte[] line = writer.next(TIME, event, LineWriter.members(event));

            // then
            assertThat(reader.next(Arrays.copyOf(line, line.length - 1)))
                    .extracting(RunLine::event)
                    .isEqualTo(event);
        }
    }

    @Test
    void fixtureHasEveryEventType() {
        // when, then
        assertThat(events().map(event -> event.getClass().getSimpleName()).distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(RunEvent.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .filter(name -> !name.equals("Unknown"))
                        .toList());
    }

    /** Verifies the format that other programs depend on: a change requires a new version. */
    @Test
    void lineFormatIsStable() {
        // given
        LineWriter writer = new LineWriter();

        // when
        String lines = events().map(event -> writer.next(TIME, event, LineWriter.members(event)))
                .map(line -> new String(line, StandardCharsets.UTF_8))
                .collect(Collectors.joining());

        // then
        String time = "\"time\":\"2026-11-21T09:30:00.123456Z\"";
        String test = "\"id\":\"[engine:junit-jupiter]/[class:InferenceTest]/[method:oneCore()]\","
                + "\"name\":\"InferenceTest > oneCore()\"";
        assertThat(lines.replace(time, "TIME").replace(test, "TEST").replaceAll("\"seq\":[0-9]+,TIME", "TIME"))
                .isEqualTo("""
                        {TIME,"event":"runStarted","version":3,"pid":4711,"java":"17.0.15+6","os":"Linux 6.1 amd64","module":"0.1.0","directory":"examples","machine":"ip-10-0-0-7","tool":{"name":"maven","target":"services/bert"}}
                        {TIME,"event":"runStarted","version":3,"pid":4712,"java":"17.0.15+6","os":"Linux 6.1 amd64","module":"0.1.0","directory":"examples","machine":"","tool":{"name":"neuron-test","options":["-cp","classes:libs/*"]}}
                        {TIME,"event":"partOfRun","run":"GitHub run 4711","chosen":true}
                        {TIME,"event":"configured","name":"neuron.test.platform","value":"real","origin":"environment_variable"}
                        {TIME,"event":"sharded","shard":3,"count":8,"timings":"0123456789abcdef","job":"Slurm job 4711","restarts":1,"code":"fedcba9876543210","timed":true}
                        {TIME,"event":"sharded","shard":1,"count":2,"timings":"","restarts":0,"code":"","timed":false}
                        {TIME,"event":"planned","test":{"number":1,TEST}}
                        {"us":0,"event":"templateFinished","test":1}
                        {TIME,"event":"planFinished"}
                        {TIME,"event":"planGivenUp","running":["PlainTest > fills()"]}
                        {TIME,"event":"platformChosen","kind":"fake","host":"fake:trn1.2xlarge@driver-2.30","choice":"fake:trn1.2xlarge","origin":"from system property neuron.test.platform","instanceType":"trn1.2xlarge","layout":"driver-2.30","driverVersion":"2.30.1.0","devices":1,"cores":2,"lnc":1}
                        {TIME,"event":"hostAdded","engine":"Slurm","name":"n1","kind":"real","instanceType":"trn1.32xlarge","driverVersion":"2.30.51.0","devices":16,"cores":32}
                        {TIME,"event":"hostAdded","engine":"ssh","name":"n2","kind":"real","devices":1,"cores":2}
                        {"us":0,"event":"attemptStarted","test":1,"whole":{"id":"[engine:junit-jupiter]/[class:InferenceTest]","name":"InferenceTest"}}
                        {"us":0,"event":"requested","test":1,"request":"1 core"}
                        {"us":0,"event":"leased","test":1,"cores":["neuron0/neuron_core1"],"waitedNanos":3000000}
                        {"us":0,"event":"waitedInVain","test":1,"waitedNanos":7000000}
                        {"us":0,"test":1,"phase":"body"}
                        {"us":0,"event":"recorded","test":1,"kind":"counters","recording":{"version":1,"moved":[18446744073709551615,0.50]}}
                        {"us":0,"event":"recorded","test":1,"kind":"counters","recording":{}}
                        {"us":0,"event":"violated","test":1,"violation":{"rule":"no error counter may move","subject":"neuron0/neuron_core1 status/hw_error","expected":"no movement","actual":"+3","advice":"see dmesg, or @AllowCounter(\\"hw_error\\")"}}
                        {"us":0,"event":"leftUndecided","test":1,"undecided":{"rule":"@ExpectCounter(\\"inference_count\\", delta = 100)","subject":"neuron0/neuron_core1","reason":"the process that owns the core is still alive"}}
                        {"us":0,"event":"onlySimulated","test":1}
                        {"us":0,"event":"notApplied","test":1,"notApplicable":{"rule":"@ExpectCounter","subject":"neuron0","reason":"simulated"}}
                        {"us":0,"event":"noticed","test":1,"notice":"counters did not settle within 2 s"}
                        {TIME,"event":"noticed","notice":"execution counters appear when their owner exits"}
                        {"us":0,"event":"attached","test":1,"name":"neuron-counters.txt","mediaType":"text/plain","bytes":1234,"file":"../junit/neuron-counters.txt"}
                        {"us":0,"event":"compared","test":1,"comparison":{"outcome":"worse"}}
                        {TIME,"event":"hostErrors","moment":"start","counters":{"neuron3 hardware/mem_ecc_uncorrected":1},"identities":{"sys/module/neuron":"(dev=16,inode=7)"},"unhealthy":{"neuron3":"hbm"},"kernelLog":{"neuron3 kernel log [65.345678]":"NEURON_HW_ERR=DMA_ERROR"}}
                        {TIME,"event":"versionKnown","name":"profiler","version":"2.31.0"}
                        {"us":0,"event":"replayed","test":1,"ran":false}
                        {"us":0,"event":"interrupted","test":1,"phase":"body","thread":"junit-timeout-thread-1"}
                        {"us":0,"event":"workloadEnded","test":1,"command":"python serve.py","pid":1234,"how":"exit code 0"}
                        {"us":0,"event":"retried","test":1,"cause":"hw_error rose by 1"}
                        {"us":0,"event":"released","test":1,"heldNanos":12000000}
                        {TIME,"event":"quarantined","test":"InferenceTest > oneCore()","cores":["neuron0/neuron_core1"],"reason":"hw_error rose by 1","pid":4711,"suspect":false}
                        {TIME,"event":"quarantineEnded","core":"neuron0/neuron_core1","reason":"hw_error rose by 1","how":"its device was reset"}
                        {TIME,"event":"holderDied","pid":99,"test":"OtherTest > t()","cores":["neuron0/neuron_core0"],"phase":"body","survivors":["100"]}
                        {TIME,"event":"holderDied","pid":98,"test":"OtherTest > u()","cores":["neuron0/neuron_core0"],"survivors":[]}
                        {"us":0,"test":1,"outcome":"failed","reason":"hw_error moved"}
                        {TIME,"event":"runFinished","passed":1,"failed":2,"undecided":3,"aborted":4,"skipped":5}
                        """);
    }

    @Test
    void eventIsOneLineDespiteLineBreaksInContent() {
        // given
        TestId test = new TestId("[method:a\nb]", "quotes \" and \\, \r\n, tab\t, é, 🦅");
        RunEvent event =
                new RunEvent.Recorded(test, "counters", new JsonObject("{\n  \"a\" : 1,\r\n  \"b\" : [ ]\n}\n"));

        // when
        String line = written(event);

        // then
        assertThat(line).endsWith("\"recording\":{\"a\":1,\"b\":[]}}\n");
        assertThat(line.strip()).doesNotContain("\n", "\r");
        assertThat(read(line)).isEqualTo(event);
    }

    @Test
    void nameWithLoneSurrogateReadsBackUnchanged() {
        // given
        RunEvent requested = new RunEvent.Requested(new TestId("id", "half \ud83e of a pair"), "1 core");

        // when
        RunEvent event = read(written(requested));

        // then
        assertThat(event).isEqualTo(requested);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"event\":\"released\",\"test\":{\"id\":\"a\",\"name\":\"b\"},\"cores\":[]",
                "\"event\":\"released\",\"test\":{\"id\":\"a\",\"name\":\"b\"},\"cores\":[],\"heldNanos\":\"1\"",
                "\"event\":\"released\",\"test\":{\"id\":\"a\",\"name\":\"b\"},\"cores\":[1],\"heldNanos\":1",
                "\"event\":\"released\",\"test\":{\"id\":\"a\"},\"cores\":[],\"heldNanos\":1",
                "\"event\":\"released\",\"test\":\"a\",\"cores\":[],\"heldNanos\":1",
                "\"event\":\"released\",\"test\":null,\"cores\":[],\"heldNanos\":1",
                "\"event\":\"phaseStarted\",\"test\":{\"id\":\"a\",\"name\":\"b\"},\"phase\":\"lunch\"",
                "\"event\":\"runFinished\",\"passed\":1.5,\"failed\":0,\"undecided\":0,\"aborted\":0,\"skipped\":0",
                "\"event\":\"noticed\",\"test\":true,\"notice\":\"n\"",
                "\"event\":\"noticed\",\"notice\":\"n\",\"since\":3",
                "\"event\":\"requested\",\"test\":{\"id\":\"a\",\"name\":\"b\",\"tags\":[]},\"request\":\"1 core\"",
                "\"event\":\"sharded\",\"shard\":1,\"count\":0,\"timings\":\"\",\"restarts\":0,\"code\":\"\",\"timed\":false",
                "\"event\":\"sharded\",\"shard\":0,\"count\":2,\"timings\":\"\",\"restarts\":0,\"code\":\"\",\"timed\":false",
                "\"event\":\"quarantined\",\"cores\":[\"neuron0/neuron_core1\"],\"why\":{\"status\":1202}",
            })
    void eventWithMissingWrongOrExtraFieldIsUnknown(String fields) {
        // when
        RunEvent event = read("{\"seq\":1,\"time\":\"2026-11-21T09:30:00Z\"," + fields + "}");

        // then
        assertThat(event).isInstanceOf(RunEvent.Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"event\":\"leased\",\"test\":{\"number\":1,\"id\":\"a\",\"name\":\"b\"},\"cores\":[\"c\"],\"waitedNanos\":\"1\"",
                "\"event\":\"borrowed\",\"test\":{\"number\":1,\"id\":\"a\",\"name\":\"b\"},\"cores\":[\"c\"]",
            })
    void coresOfUnknownEventApplyToLaterLines(String fields) {
        // given
        LineReader reader = new LineReader();
        String first = "{\"seq\":1,\"time\":\"2026-11-21T09:30:00Z\"," + fields + "}";
        assertThat(reader.next(first.getBytes(StandardCharsets.UTF_8)))
                .extracting(RunLine::event)
                .isInstanceOf(RunEvent.Unknown.class);

        // when
        RunLine last = reader.next("{\"us\":5,\"test\":1,\"outcome\":\"passed\"}".getBytes(StandardCharsets.UTF_8));

        // then
        assertThat(last)
                .extracting(RunLine::event)
                .isEqualTo(new RunEvent.TestFinished(new TestId("a", "b"), Outcome.PASSED, List.of("c"), null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "nonsense",
                "{\"seq\":1,\"time\":\"2026-11-21T09:30:00Z\"}",
                "{\"seq\":1,\"us\":5,\"event\":\"noticed\",\"notice\":\"n\"}",
                "{\"seq\":1,\"time\":\"yesterday\",\"event\":\"noticed\",\"notice\":\"n\"}",
                "{\"seq\":\"1\",\"time\":\"2026-11-21T09:30:00Z\",\"event\":\"noticed\",\"notice\":\"n\"}",
                "{\"seq\":1,\"time\":\"2026-11-21T09:30:00Z\",\"event\":\"noticed\",\"notice\":\"n\"",
                "{\"seq\":1,\"time\":\"2026-11-21T09:30:00Z\",\"event\":\"noticed\",\"notice\":\"n\"}}",
                "{\"seq\":1,\"time\":\"2026-11-21T09:30:00Z\",\"event\":\"noticed\",\"notice\":\"n\"} {}",
            })
    void otherTextIsNoLine(String text) {
        // when, then
        assertThat(line(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"a\":NaN}", "{\"a\":1", "{} {}", "null"})
    void recordingMustBeOneJsonObject(String json) {
        // given
        Measurement recording = new EventsFixture.RecordingFixture("counters", "", json);

        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunEvent.Recorded(TEST, recording.kind(), new JsonObject(recording.toJson())))
                .withMessageContaining("JSON object");
    }
}
