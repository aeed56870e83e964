package dev.neurontest.examples.guide;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.MaxSpill;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileWorkloads;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.workload.Workloads;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The section of docs/profiles.md on a program instead of a NEFF. */
@NeuronTest
class WorkloadProfilesGuideTest {

    @BeforeAll
    static void compile() throws IOException {
        assumeTrue(
                FakeRuntime.unavailable().isEmpty(),
                () -> FakeRuntime.unavailable().orElseThrow());
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Path.of(folder, "python3").toFile().canExecute()),
                "no python3 on the PATH");
        GuideNeffs.compile();
    }

    // tag::program
    @Test
    @ProfileWorkloads(graph = "attention")
    @MaxSpill("0 B")
    void doesNotSpill(NeuronCore core, Workloads workloads) {
        workloads
                .command("python3", "src/test/python/execute_neff.py", "target/guide/attention.neff")
                .run();
    }
    // end::program
}
