package dev.neurontest.benchmark;

import dev.neurontest.device.CoreMap;
import dev.neurontest.device.LogicalCoreSize;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.host.FileTree;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where the hosts lie that are read, and the programs that read them too.
 *
 * @param hosts on tmpfs where there is one
 * @param programs elsewhere: programs on tmpfs are often not allowed to run
 */
record BenchmarkFolders(Path hosts, Path programs) {

    static final String LARGE = "trn2.48xlarge";
    static final String SMALL = "trn1.2xlarge";

    private static final String HOSTS = "benchmark.hosts";
    private static final String PROGRAMS = "benchmark.programs";

    /** In a JVM that is measured. */
    static BenchmarkFolders given() {
        return new BenchmarkFolders(Path.of(System.getProperty(HOSTS)), Path.of(System.getProperty(PROGRAMS)));
    }

    /** Tells a JVM that is measured. */
    String[] jvmOptions() {
        return new String[] {"-D" + HOSTS + "=" + hosts, "-D" + PROGRAMS + "=" + programs};
    }

    Path root(String instance) {
        return hosts.resolve(instance);
    }

    NeuronHost discover(String instance) throws IOException {
        return NeuronHost.discover(FileTree.at(root(instance)), LogicalCoreSize.BY_FAMILY, CoreMap.BY_FAMILY);
    }

    /** Names the counter files that a benchmark reads, one a line. */
    Path list(String benchmark) {
        return programs.resolve("files-of-" + benchmark);
    }

    /** The loop in C; absent without a compiler. */
    Path cLoop() {
        return programs.resolve("read_files");
    }

    /** The loop in Python; absent without Python. */
    Path pythonLoop() {
        return programs.resolve("read_files.py");
    }
}
