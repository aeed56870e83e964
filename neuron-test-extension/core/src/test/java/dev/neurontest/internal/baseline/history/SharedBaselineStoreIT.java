package dev.neurontest.internal.baseline.history;

import static dev.neurontest.internal.baseline.history.BaselineFixture.KEY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TRN2;
import static dev.neurontest.internal.baseline.history.BaselineFixture.key;
import static dev.neurontest.internal.baseline.history.BaselineFixture.latency;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of concurrent writers to the same folder. */
class SharedBaselineStoreIT {

    private static final int EACH = 15;

    @TempDir
    Path directory;

    @TempDir
    Path elsewhere;

    private List<String> tests() {
        return BaselineStore.in(directory).entries().stream()
                .map(entry -> entry.key().test())
                .toList();
    }

    private static List<String> written(String... names) {
        return Stream.of(names)
                .flatMap(name -> IntStream.range(0, EACH).mapToObj(index -> name + "-" + index + "()"))
                .toList();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private BaselineJvmFixture jvm(String does, String output, int count) throws IOException {
        return new BaselineJvmFixture(directory, does, elsewhere.resolve(output), count);
    }

    @Test
    void concurrentApprovalsOfTwoJvmsLoseNothing() throws IOException {
        try (BaselineJvmFixture one = jvm("approve", "one", EACH);
                BaselineJvmFixture two = jvm("approve", "two", EACH)) {
            // given
            assertThat(List.of(one.next(), two.next())).containsOnly("ready");

            // when
            one.go();
            two.go();
            BaselineJvmFixture.write(directory, "here", EACH);

            // then
            assertThat(List.of(one.next(), one.next())).containsExactly("begun", "done");
            assertThat(List.of(two.next(), two.next())).containsExactly("begun", "done");
            assertThat(tests()).containsExactlyInAnyOrderElementsOf(written("one", "two", "here"));
            assertThat(files()).containsExactly("com.acme.BertTest.json");
        }
    }

    @Test
    void concurrentThreadsClassLoadersAndJvmLoseNothing() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (URLClassLoader copy = copyOfTheClasses();
                BaselineJvmFixture jvm = jvm("write", "jvm", EACH)) {
            // given
            assertThat(jvm.next()).isEqualTo("ready");
            Method write = copy.loadClass(BaselineJvmFixture.class.getName())
                    .getDeclaredMethod("write", Path.class, String.class, int.class);
            write.setAccessible(true);

            // when
            jvm.go();
            List<Future<?>> writers = new ArrayList<>();
            writers.add(threads.submit(() -> BaselineJvmFixture.write(directory, "one", EACH)));
            writers.add(threads.submit(() -> BaselineJvmFixture.write(directory, "two", EACH)));
            writers.add(threads.submit(() -> write.invoke(null, directory, "copy", EACH)));
            for (Future<?> writer : writers) {
                writer.get();
            }
            assertThat(List.of(jvm.next(), jvm.next())).containsExactly("begun", "done");

            // then
            assertThat(tests()).containsExactlyInAnyOrderElementsOf(written("one", "two", "copy", "jvm"));
            assertThat(files()).containsExactly("com.acme.BertTest.json");
        } finally {
            threads.shutdownNow();
        }
    }

    private static URLClassLoader copyOfTheClasses() {
        URL[] classPath = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .map(SharedBaselineStoreIT::url)
                .toArray(URL[]::new);
        return new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void killedJvmLeavesBaselinesIntactAndReleasesLock() throws Exception {
        try (BaselineJvmFixture killed = jvm("write", "killed", Integer.MAX_VALUE)) {
            // given
            BaselineFixture.write(BaselineStore.in(directory), List.of(latency(17)));
            killed.next();
            killed.go();
            assertThat(killed.next()).isEqualTo("begun");

            // when
            killed.kill();

            // then
            BaselineStore store = BaselineStore.in(directory, Duration.ZERO);
            BaselineFixture.write(store, List.of(latency("after()", 3)));
            assertThat(store.find(KEY, TRN2)).contains(latency(17));
            assertThat(store.find(key("after()", "total_time"), TRN2)).isPresent();
            assertThat(files()).containsExactly("com.acme.BertTest.json");
        }
    }

    @Test
    void lockTimeoutIsReported() throws Exception {
        try (BaselineJvmFixture other = jvm("hold", "other", 0)) {
            // given
            other.next();
            other.go();
            assertThat(other.next()).isEqualTo("begun");

            // then
            BaselineStore impatient = BaselineStore.in(directory, Duration.ZERO);
            assertThatThrownBy(() -> BaselineFixture.write(impatient, List.of(latency(17))))
                    .isInstanceOf(BaselineException.class)
                    .hasMessage(directory.resolve(".lock")
                            + " has been locked by another process for 0 s."
                            + " End that process, or try again when it is done.");

            // when
            other.kill();

            // then
            BaselineFixture.write(impatient, List.of(latency(17)));
            assertThat(files()).containsExactly("com.acme.BertTest.json");
        }
    }

    @Test
    void interruptedThreadStillWritesAndStaysInterrupted() {
        // when
        Thread.currentThread().interrupt();
        BaselineFixture.write(BaselineStore.in(directory), List.of(latency(17)));

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(BaselineStore.in(directory).find(KEY, TRN2)).contains(latency(17));
    }

    @Test
    void writingRemovesLeftoversOfKilledWriter() throws IOException {
        // given
        Files.writeString(directory.resolve(".1234.tmp"), "half");

        // when
        BaselineFixture.write(BaselineStore.in(directory), List.of(latency(17)));

        // then
        assertThat(files()).containsExactly("com.acme.BertTest.json");
    }
}
