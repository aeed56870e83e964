package dev.neurontest.examples.guide;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;

import dev.neurontest.ExpectCleanProfile;
import dev.neurontest.MaxLatency;
import dev.neurontest.MaxMemory;
import dev.neurontest.MaxSpill;
import dev.neurontest.MinMfu;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileNeff;
import dev.neurontest.ProfileSql;
import dev.neurontest.Threshold;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import dev.neurontest.profile.SystemCapture;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page docs/profiles.md. */
@NeuronTest
class ProfilesGuideTest {

    @BeforeAll
    static void compile() throws IOException {
        GuideNeffs.compile();
    }

    // tag::first
    @Test
    @ProfileNeff("target/guide/resnet50.neff")
    @MaxLatency("17 ms")
    @MinMfu("5 %")
    void isFastEnough() {}
    // end::first

    // tag::several
    @Test
    @ProfileNeff(value = "target/guide/resnet50.neff", warmup = 2, executions = 10)
    @Threshold(metric = "total_time", max = "18 ms", over = "p90")
    @Threshold(metric = "dma_transfer_count", max = "2000000")
    void isFastEnoughNineTimesOfTen() {}
    // end::several

    // tag::code
    @Test
    void isFastEnoughInCode(NeuronCore core, Profiler profiler) {
        Profile profile = profiler.capture(Path.of("target/guide/resnet50.neff"))
                .warmup(2)
                .measured(10)
                .run();

        assertThat(profile).totalTime().over("p90").isAtMost(Duration.ofMillis(17));
        assertThat(profile).hbmReadBytes().isAtMost("4 GiB");
    }
    // end::code

    // tag::spill
    @Test
    @ProfileNeff("target/guide/attention.neff")
    @MaxSpill("0 B")
    void staysInTheStateBuffer() {}
    // end::spill

    // tag::tables
    @Test
    @ProfileNeff("target/guide/resnet50.neff")
    @Threshold(line = "attention.py:120", max = "5 ms")
    @ProfileSql(
            value = "select sum(duration_ns) from instruction where tensor_instruction_type = 'TRANSPOSE'",
            max = "5 ms")
    @ProfileSql("select * from warning where category = 'Missing Data'")
    @ExpectCleanProfile
    @MaxMemory(hbm = "4 GiB")
    void isCleanAndTransposesLittle() {}
    // end::tables

    // tag::sql
    @Test
    @ProfileNeff(value = "target/guide/resnet50.neff", tables = true)
    void waitsLittle(NeuronCore core, Profile profile) {
        assertThat(profile.tables())
                .query("select max(evt_wait_time_ns) from instruction where engine = 'Vector'")
                .isAtMost("1 ms");
    }
    // end::sql

    // tag::system
    @Test
    void executesQuickly(NeuronCore core, Profiler profiler, Workloads workloads, FakeNeuronHost fake) {
        SystemCapture system = profiler.system();
        workloads
                .command(fake.directory().resolve("bin/run-neff").toString(), "target/guide/resnet50.neff")
                .environment(system.environment())
                .run();

        assertThat(system.tables())
                .query("select max(duration_ns) from SystemProfileEvents where name = 'nrt_execute'")
                .isAtMost("1 s");
    }
    // end::system
}
