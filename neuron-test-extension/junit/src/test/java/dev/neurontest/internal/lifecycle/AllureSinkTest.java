package dev.neurontest.internal.lifecycle;

import static dev.neurontest.internal.evidence.EventsFixture.PLATFORM;
import static dev.neurontest.internal.evidence.EventsFixture.TEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.LeaseScope;
import dev.neurontest.LeasedPer;
import dev.neurontest.NeuronTest;
import dev.neurontest.NeuronTestKit;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.EventsFixture.RecordingFixture;
import dev.neurontest.internal.evidence.Evidence;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.judgement.Judgement;
import io.qameta.allure.Allure;
import io.qameta.allure.AllureLifecycle;
import io.qameta.allure.AllureResultsWriter;
import io.qameta.allure.junitplatform.AllureJunitPlatform;
import io.qameta.allure.model.Attachment;
import io.qameta.allure.model.Label;
import io.qameta.allure.model.Parameter;
import io.qameta.allure.model.Status;
import io.qameta.allure.model.TestResult;
import io.qameta.allure.model.TestResultContainer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.platform.engine.reporting.FileEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Tests with the lifecycle of Allure, which exists once in the JVM. */
@ResourceLock("io.qameta.allure.Allure.lifecycle")
class AllureSinkTest {

    private final ResultsFixture results = new ResultsFixture();
    private final AllureLifecycle before = Allure.getLifecycle();
    private final AllureLifecycle lifecycle = new AllureLifecycle(results);

    @TempDir
    Path folder;

    @BeforeEach
    void record() {
        Allure.setLifecycle(lifecycle);
    }

    @AfterEach
    void restore() {
        Allure.setLifecycle(before);
    }

    /** The build runs this class with several versions of Allure and names each. */
    @Test
    @EnabledIfSystemProperty(named = "allure.tested", matches = ".+")
    void runsWithAllureOfTheBuild() {
        assertThat(AllureJunitPlatform.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation())
                .asString()
                .endsWith("-" + System.getProperty("allure.tested") + ".jar");
    }

    private void inATest(Runnable body) {
        lifecycle.scheduleTestCase(new TestResult().setUuid("a").setName("a test"));
        lifecycle.startTestCase("a");
        body.run();
        lifecycle.stopTestCase("a");
        lifecycle.writeTestCase("a");
    }

    @Test
    void attachesToRunningTest() {
        // given
        AllureSink sink = AllureSink.find().orElseThrow();

        // when
        inATest(() -> sink.attach("neuron-counters.txt", "text/plain", "moved".getBytes(StandardCharsets.UTF_8)));

        // then
        Attachment attachment = results.test.getAttachments().get(0);
        assertThat(results.test.getAttachments()).hasSize(1);
        assertThat(attachment.getName()).isEqualTo("neuron-counters.txt");
        assertThat(attachment.getType()).isEqualTo("text/plain");
        assertThat(attachment.getSource()).endsWith(".txt");
        assertThat(results.files).containsExactly(Map.entry(attachment.getSource(), "moved"));
    }

    @Test
    void attachesNothingWithoutRunningTest() {
        // given
        AllureSink sink = AllureSink.find().orElseThrow();

        // when
        sink.attach("neuron-counters.txt", "text/plain", new byte[0]);

        // then
        assertThat(results.files).isEmpty();
    }

    @Test
    void labelsTestWithPlatform() {
        // given
        AllureSink sink = AllureSink.find().orElseThrow();

        // when
        inATest(() -> sink.label(PLATFORM.labels()));

        // then
        assertThat(results.test.getLabels())
                .extracting(Label::getName, Label::getValue)
                .containsExactly(
                        tuple("neuron.platform", "fake"),
                        tuple("neuron.instance", "trn1.2xlarge"),
                        tuple("neuron.driver", "2.30.1.0"));
    }

    @Test
    void labelsTestWithCoresAndFakeHost() {
        // given
        AllureSink sink = AllureSink.find().orElseThrow();

        // when
        inATest(() -> {
            Allure.label("host", "ip-10-0-0-7");
            sink.place(
                    Optional.of("fake:trn1.2xlarge@driver-2.30"),
                    List.of("neuron0/neuron_core0", "neuron0/neuron_core1"));
        });

        // then
        assertThat(results.test.getLabels())
                .extracting(Label::getName, Label::getValue)
                .containsExactly(
                        tuple("host", "fake:trn1.2xlarge@driver-2.30"),
                        tuple("neuron.core", "neuron0/neuron_core0"),
                        tuple("neuron.core", "neuron0/neuron_core1"));
    }

    @NeuronTest
    static class OnOneCoreFixture {

        @Test
        void runs(NeuronCore core) {}
    }

    @Test
    void labelsFinishedTestWithHostAndCore() {
        // when
        new NeuronTestKit(folder).with("neuron.test.summary", "false").launch(OnOneCoreFixture.class);

        // then
        assertThat(results.test.getLabels())
                .filteredOn(label -> List.of("host", "neuron.core").contains(label.getName()))
                .extracting(Label::getName, Label::getValue)
                .containsExactly(
                        tuple("host", "fake:trn1.2xlarge@driver-2.30"), tuple("neuron.core", "neuron0/neuron_core0"));
    }

    @NeuronTest
    static class FailedClassFixture {

        @BeforeAll
        static void start(NeuronCore leased) {}

        @Test
        void runs() {}

        @AfterAll
        static void raiseErrorCounter(NeuronCore leased, FakeNeuronHost fake) {
            fake.device(0).ecc("mem_uncorrected", 1);
        }
    }

    @Test
    void attachesToFailedClassAndLabelsIt() {
        // when
        new NeuronTestKit(folder).with("neuron.test.summary", "false").launch(FailedClassFixture.class);

        // then
        TestResult result = results.test;
        assertThat(result.getStatus()).isEqualTo(Status.FAILED);
        assertThat(result.getAttachments())
                .extracting(Attachment::getName)
                .contains("neuron-counters.txt", "neuron-judgement.txt");
        assertThat(result.getLabels())
                .filteredOn(label ->
                        List.of("host", "neuron.core", "neuron.platform").contains(label.getName()))
                .extracting(Label::getName, Label::getValue)
                .containsExactlyInAnyOrder(
                        tuple("host", "fake:trn1.2xlarge@driver-2.30"),
                        tuple("neuron.core", "neuron0/neuron_core0"),
                        tuple("neuron.platform", "fake"));
    }

    @NeuronTest
    static class FailedBeforeAllFixture {

        @BeforeAll
        static void start(NeuronCore leased) {
            throw new AssertionError("the server did not start");
        }

        @Test
        void runs() {}
    }

    @Test
    void labelsClassThatFailedBeforeItsTests() {
        // when
        new NeuronTestKit(folder).with("neuron.test.summary", "false").launch(FailedBeforeAllFixture.class);

        // then
        assertThat(results.test.getStatus()).isEqualTo(Status.FAILED);
        assertThat(results.test.getLabels())
                .extracting(Label::getName, Label::getValue)
                .contains(
                        tuple("host", "fake:trn1.2xlarge@driver-2.30"),
                        tuple("neuron.core", "neuron0/neuron_core0"),
                        tuple("neuron.platform", "fake"));
    }

    @NeuronTest
    static class FailedNestedFixture {

        @BeforeAll
        static void start(NeuronCore leased) {}

        @Nested
        class Inner {

            @Test
            void runs(NeuronCore core) {}

            @AfterAll
            static void raiseErrorCounter(@LeasedPer(LeaseScope.CLASS) NeuronCore leased, FakeNeuronHost fake) {
                fake.device(0).ecc("mem_uncorrected", 1);
            }
        }
    }

    @Test
    void attachesToFailedNestedClass() {
        // when
        new NeuronTestKit(folder).with("neuron.test.summary", "false").launch(FailedNestedFixture.class);

        // then
        assertThat(results.all)
                .filteredOn(result -> result.getStatus() == Status.FAILED)
                .isNotEmpty()
                .allSatisfy(result -> {
                    assertThat(result.getAttachments())
                            .extracting(Attachment::getName)
                            .contains("neuron-judgement.txt");
                    assertThat(result.getLabels()).extracting(Label::getName).contains("neuron.core");
                });
    }

    static class FailedWithoutNeuronFixture {

        @BeforeAll
        static void start() {
            throw new AssertionError("no Neuron test");
        }

        @Test
        void runs() {}
    }

    @Test
    void attachesNothingOfPassedClassToNextClass() {
        // when
        new NeuronTestKit(folder)
                .with("neuron.test.summary", "false")
                .with("neuron.test.evidence", "always")
                .launch(OnOneCoreFixture.class, FailedWithoutNeuronFixture.class);

        // then
        assertThat(results.test.getStatus()).isEqualTo(Status.FAILED);
        assertThat(results.test.getAttachments()).isEmpty();
        assertThat(results.test.getLabels()).extracting(Label::getName).doesNotContain("neuron.platform");
    }

    @Test
    void keepsMachineAsHostOfRealDevices() {
        // given
        AllureSink sink = AllureSink.find().orElseThrow();

        // when
        inATest(() -> {
            Allure.label("host", "ip-10-0-0-7");
            sink.place(Optional.empty(), List.of("neuron0/neuron_core0"));
        });

        // then
        assertThat(results.test.getLabels())
                .extracting(Label::getName, Label::getValue)
                .containsExactly(tuple("host", "ip-10-0-0-7"), tuple("neuron.core", "neuron0/neuron_core0"));
    }

    @Test
    void excludesCoresFromTestHistory() {
        // given
        AllureSink sink = AllureSink.find().orElseThrow();

        // when
        inATest(() -> {
            Allure.parameter("core", "neuron0/neuron_core1");
            Allure.parameter("batch", 16);
            sink.exclude(List.of("core"));
        });

        // then
        assertThat(results.test.getParameters())
                .extracting(Parameter::getName, Parameter::getExcluded)
                .containsExactly(tuple("core", true), tuple("batch", null));
    }

    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void addsEnvironmentKeepingExistingEntries() throws IOException {
        // given
        Files.writeString(folder.resolve("environment.properties"), "branch=main\n");
        System.setProperty("allure.results.directory", folder.toString());
        try {
            // when
            AllureSink.find().orElseThrow().environment(Map.of("neuron.platform", "fake", "branch", "another"));
        } finally {
            System.clearProperty("allure.results.directory");
        }

        // then
        assertThat(Files.readAllLines(folder.resolve("environment.properties")))
                .contains("branch=main", "neuron.platform=fake");
    }

    @Test
    void receivesSameAttachmentsAsJUnit() {
        // given
        try (RunFile runFile = new RunFile(folder, warning -> {})) {
            Evidence evidence = new Evidence(
                    passed -> true, runFile, AllureSink.find().stream().toList());
            RecordingFixture recording = new RecordingFixture("counters", "text", "{}");

            // when
            inATest(() -> evidence.attach(
                    TEST, true, List.of(recording), Judgement.NOTHING, (name, mediaType, content) -> Optional.empty()));
        }

        // then
        assertThat(results.test.getAttachments())
                .extracting(Attachment::getName)
                .containsExactly("neuron-counters.txt", "neuron-counters.json");
    }

    @Test
    void attachesNothingWhenAllureTakesPublishedFiles() {
        // given
        AllureSink sink = new AllureSink(PublishedFilesFixture.class);

        // when
        inATest(() -> sink.attach("neuron-counters.txt", "text/plain", new byte[0]));

        // then
        assertThat(results.test.getAttachments()).isEmpty();
        assertThat(results.files).isEmpty();
    }

    @Test
    void attachesNothingWhenListenerInheritsFileHandling() {
        // given
        class Subclass extends PublishedFilesFixture {}
        AllureSink sink = new AllureSink(Subclass.class);

        // when
        inATest(() -> sink.attach("neuron-counters.txt", "text/plain", new byte[0]));

        // then
        assertThat(results.files).isEmpty();
    }

    @Test
    void attachesFilesForCurrentAllureListener() {
        // given
        AllureSink sink = new AllureSink(AllureJunitPlatform.class);

        // when
        inATest(() -> sink.attach("neuron-counters.txt", "text/plain", new byte[0]));

        // then
        assertThat(results.files).hasSize(1);
    }

    @Test
    void isNotFoundWithoutAllure() throws Exception {
        // given
        URL[] withoutAllure = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("allure"))
                .map(entry -> {
                    try {
                        return Path.of(entry).toUri().toURL();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toArray(URL[]::new);

        try (URLClassLoader loader = new URLClassLoader(withoutAllure, ClassLoader.getPlatformClassLoader())) {
            // when
            Method find = loader.loadClass(AllureSink.class.getName()).getMethod("find");
            find.setAccessible(true);
            Object found = find.invoke(null);

            // then
            assertThat(found).isEqualTo(Optional.empty());
        }
    }

    /** A listener like that of Allure 3, which overrides this method. */
    static class PublishedFilesFixture implements TestExecutionListener {

        @Override
        public void fileEntryPublished(TestIdentifier testIdentifier, FileEntry file) {}
    }

    private static final class ResultsFixture implements AllureResultsWriter {

        private final Map<String, String> files = new LinkedHashMap<>();
        private final List<TestResult> all = new ArrayList<>();
        private TestResult test = new TestResult();

        @Override
        public void write(TestResult testResult) {
            test = testResult;
            all.add(testResult);
        }

        @Override
        public void write(TestResultContainer testResultContainer) {}

        @Override
        public void write(String source, InputStream attachment) {
            try {
                files.put(source, new String(attachment.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
