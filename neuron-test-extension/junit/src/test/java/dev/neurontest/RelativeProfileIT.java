package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of profiles relative to another test's, and to the roofline of the machine. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
class RelativeProfileIT {

    private static final String FP32 = "target/relative-profile/fp32.neff";
    private static final String BF16 = "target/relative-profile/bf16.neff";

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Files.createDirectories(Path.of(FP32).getParent());
        FakeNeff.builder().name("fp32").time(Duration.ofMillis(20)).write(Path.of(FP32));
        FakeNeff.builder().name("bf16").time(Duration.ofMillis(11)).write(Path.of(BF16));
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Bf16Fixture {
        @Test
        @Order(1)
        @ProfileNeff(FP32)
        void fp32(NeuronCore core) {}

        @Test
        @Order(2)
        @ProfileNeff(BF16)
        @RelativeToTest(method = "fp32", metric = "total_time", max = "60 %")
        void isFaster(NeuronCore core) {}

        @Test
        @Order(3)
        @ProfileNeff(BF16)
        @RelativeToTest(method = "fp32", metric = "total_time", max = "50 %")
        void isTwiceAsFast(NeuronCore core) {}
    }

    @NeuronTest
    static class AloneFixture {
        @Test
        @ProfileNeff(BF16)
        @RelativeToTest(type = Bf16Fixture.class, method = "fp32", metric = "total_time", max = "60 %")
        void isFaster(NeuronCore core) {}
    }

    @NeuronTest
    static class MisspeltFixture {
        @Test
        @ProfileNeff(BF16)
        @RelativeToTest(method = "fp23", metric = "total_time", max = "60 %")
        void isFaster(NeuronCore core) {}
    }

    @NeuronTest
    static class UnderTheRoofFixture {
        @Test
        @ProfileNeff(BF16)
        @MinOfRoofline("0.1 %")
        void reachesSomething(NeuronCore core) {}

        @Test
        @ProfileNeff(BF16)
        @MinOfRoofline("99 %")
        void reachesAll(NeuronCore core) {}
    }

    @NeuronTest
    static class NothingProfiledFixture {
        @Test
        @MinOfRoofline("50 %")
        void test(NeuronCore core) {}
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    @Test
    void failsOnlyAboveAllowedShare() {
        assertThat(onlyFailure(kit().run(Bf16Fixture.class)))
                .hasMessageContaining("expected at most 50 % of that of Bf16Fixture.fp32")
                .hasMessageContaining("was 55 %: 11 ms compared with 20 ms of Bf16Fixture.fp32");
    }

    @Test
    void isUndecidedWhenOtherTestDidNotRun() {
        assertThat(onlyFailure(kit().run(AloneFixture.class)))
                .hasMessageContaining("undecided: Bf16Fixture.fp32 has no profile in this JVM. It must run first");
    }

    @Test
    void isRefusedWhenOtherTestDoesNotExist() {
        assertThat(onlyFailure(kit().run(MisspeltFixture.class)))
                .hasStackTraceContaining("there is no method fp23 in " + MisspeltFixture.class.getName());
    }

    @Test
    void isComparedWithRooflineOfMachine() {
        assertThat(onlyFailure(kit().run(UnderTheRoofFixture.class)))
                .hasMessageContaining("expected at least 99 %")
                .hasMessageContaining("flops for each byte of HBM");
    }

    @Test
    void isRefusedWhenNothingIsProfiled() {
        assertThat(onlyFailure(kit().run(NothingProfiledFixture.class)))
                .hasStackTraceContaining("expects @MinOfRoofline(\"50 %\"), but nothing is profiled");
    }
}
