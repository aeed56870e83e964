package dev.neurontest.benchmark;

import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.platform.Platform;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A benchmark of one snapshot of counters: of a whole host or of a leased core, from files or in process. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(2)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class SnapshotBenchmark {

    /** A host on files that another JVM serves. */
    @State(Scope.Benchmark)
    public static class OnFiles {

        CounterScope wholeHost;
        CounterScope coreOfTrn1;
        CounterScope coreOfTrn2;

        @Setup
        public void discover() throws IOException {
            BenchmarkFolders folders = BenchmarkFolders.given();
            NeuronHost large = folders.discover(BenchmarkFolders.LARGE);
            NeuronHost small = folders.discover(BenchmarkFolders.SMALL);
            wholeHost = new CounterScopes(large).wholeHost();
            coreOfTrn1 = firstCore(small);
            coreOfTrn2 = firstCore(large);
        }
    }

    /** A fake host in the measured JVM. */
    @State(Scope.Benchmark)
    public static class InProcess {

        Platform platform;
        CounterScope wholeHost;

        @Setup
        public void open() {
            platform = Platform.open(Settings.of(name -> name.equals(Setting.PLATFORM.name())
                    ? Optional.of("fake:" + BenchmarkFolders.LARGE)
                    : Optional.empty()));
            wholeHost = new CounterScopes(platform.host()).wholeHost();
        }

        @TearDown
        public void close() {
            platform.close();
        }
    }

    static CounterScope firstCore(NeuronHost host) {
        return new CounterScopes(host).of(List.of(host.cores().get(0)));
    }

    @Benchmark
    public CounterSnapshot wholeHostOnFiles(OnFiles files) {
        return CounterSnapshot.of(files.wholeHost);
    }

    @Benchmark
    public CounterSnapshot coreOfTrn1OnFiles(OnFiles files) {
        return CounterSnapshot.of(files.coreOfTrn1);
    }

    @Benchmark
    public CounterSnapshot coreOfTrn2OnFiles(OnFiles files) {
        return CounterSnapshot.of(files.coreOfTrn2);
    }

    @Benchmark
    public CounterSnapshot wholeHostInProcess(InProcess host) {
        return CounterSnapshot.of(host.wholeHost);
    }
}
