package dev.neurontest.benchmark;

import dev.neurontest.device.LogicalCoreSize;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.device.CoreMap;
import dev.neurontest.internal.host.FileTree;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The folders of the hosts and of the programs that read them.
 *
 * @param hosts the folder of the hosts, on tmpfs where there is one
 * @param programs the folder of the programs, not on tmpfs, which often forbids to run programs
 */
record BenchmarkFolders(Path hosts, Path programs) {

    static final String LARGE = "trn2.48xlarge";
    static final String SMALL = "trn1.2xlarge";

    private static final String HOSTS = "benchmark.hosts";
    private static final String PROGRAMS = "benchmark.programs";

    /** Returns the folders that {@link #jvmOptions()} passed to this JVM. */
    static BenchmarkFolders given() {
        return new BenchmarkFolders(Path.of(System.getProperty(HOSTS)), Path.of(System.getProperty(PROGRAMS)));
    }

    /** Returns the options that pass the folders to a measured JVM. */
    String[] jvmOptions() {
        return new String[] {"-D" + HOSTS + "=" + hosts, "-D" + PROGRAMS + "=" + programs};
    }

    Path root(String instance) {
        return hosts.resolve(instance);
    }

    NeuronHost discover(String instance) throws IOException {
        return NeuronHost.discover(FileTree.at(root(instance)), LogicalCoreSize.BY_FAMILY, CoreMap.BY_FAMILY);
    }

    /** Returns the file with the paths of all counter files that a benchmark reads, one per line. */
    Path list(String benchmark) {
        return programs.resolve("files-of-" + benchmark);
    }

    /** Returns the program of the loop in C, which does not exist without a compiler. */
    Path cLoop() {
        return programs.resolve("read_files");
    }

    /** Returns the program of the loop in Python, which does not exist without Python. */
    Path pythonLoop() {
        return programs.resolve("read_files.py");
    }
}
