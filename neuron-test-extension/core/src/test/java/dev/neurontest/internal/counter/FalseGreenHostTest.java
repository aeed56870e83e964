package dev.neurontest.internal.counter;

import static dev.neurontest.internal.counter.tree.TreeFixture.DEVICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of hosts with a problem while a test holds core 1. By the default rule no such test passes: it fails, is
 * undecided with a reason, or cannot begin.
 */
class FalseGreenHostTest {

    private static final String DEVICE = DEVICES + "neuron0";
    private static final String CORE = DEVICE + "/neuron_core1";
    private static final String STATS = CORE + "/stats";
    private static final String ERROR = STATS + "/status/hw_error";
    private static final String HEALTH = DEVICE + "/stats/hardware/health_status/unhealthy_components";
    private static final String ECC = DEVICE + "/stats/hardware/mem_ecc_uncorrected";
    private static final Consumer<TreeFixture> NOTHING = tree -> {};

    private final TreeFixture tree = TreeFixture.host(1, 2);

    private static Arguments bad(String name, Consumer<TreeFixture> before, Consumer<TreeFixture> during) {
        return arguments(name, before, during);
    }

    /** Returns contents of a file that are no valid unchanged count. */
    private static Stream<Arguments> contents() {
        return Stream.of(
                        "",
                        "\n",
                        "\0",
                        "busy\n",
                        "init_error\n",
                        "device_unreachable\n",
                        "-1\n",
                        "0 0\n",
                        "1e3\n",
                        "0.0\n",
                        "+0\n",
                        "zero\n",
                        "18446744073709551616\n",
                        "99999999999999999999999\n",
                        "0x\n",
                        "0xfffffffffffffffff\n",
                        "0\n1\n",
                        "٠\n")
                .flatMap(content -> {
                    String shown = content.replace("\n", "\\n").replace("\0", "\\0");
                    return Stream.of(
                            bad(
                                    "an error counter reads \"" + shown + "\"",
                                    NOTHING,
                                    t -> t.set(ERROR + "/total", content)),
                            bad("an ECC counter reads \"" + shown + "\"", NOTHING, t -> t.set(ECC, content)));
                });
    }

    private static Stream<Arguments> hosts() {
        return Stream.of(
                bad("an error is counted", NOTHING, t -> t.set(ERROR + "/total", "3\n")),
                bad("an error is counted in hex", NOTHING, t -> t.set(ERROR + "/total", "0x3\n")),
                bad("a memory error is counted", NOTHING, t -> t.set(ECC, "1\n")),
                bad(
                        "an error is counted with 64 bits",
                        NOTHING,
                        t -> t.set(ERROR + "/total", "18446744073709551615\n")),
                bad("an error counter falls", t -> t.set(ERROR + "/total", "9\n"), t -> t.set(ERROR + "/total", "0\n")),
                bad(
                        "an error counter is cleared and counts",
                        t -> t.set(ERROR + "/total", "9\n"),
                        t -> t.set(ERROR + "/total", "2\n")),
                bad(
                        "an error counter cannot be read before",
                        t -> t.fail("neuron0/neuron_core1 status/hw_error", () -> new IOException("No such device")),
                        NOTHING),
                bad(
                        "an error counter cannot be read after",
                        NOTHING,
                        t -> t.fail("neuron0/neuron_core1 status/hw_error", () -> new IOException("No such device"))),
                bad(
                        "an error counter may not be read",
                        NOTHING,
                        t -> t.fail("neuron0/neuron_core1 status/hw_error", () -> new AccessDeniedException("total"))),
                bad(
                        "a memory error counter cannot be read",
                        NOTHING,
                        t -> t.fail(
                                "neuron0 hardware/mem_ecc_uncorrected", () -> new IOException("Input/output error"))),
                bad("an error counter vanishes", NOTHING, t -> t.remove(ERROR)),
                bad("the status counters vanish", NOTHING, t -> t.remove(STATS + "/status")),
                bad("the core vanishes", NOTHING, t -> t.remove(CORE)),
                bad("the device vanishes", NOTHING, t -> t.remove(DEVICE)),
                bad("the core has no status counters", t -> t.remove(STATS + "/status"), NOTHING),
                bad(
                        "the core counts only successes",
                        t -> {
                            t.remove(STATS + "/status");
                            t.counter(STATS + "/status/success", false);
                        },
                        NOTHING),
                bad("the core has no counters", t -> t.remove(STATS), NOTHING),
                bad("the device has no memory error counters", t -> t.remove(DEVICE + "/stats/hardware"), NOTHING),
                bad(
                        "the device has only corrected memory errors",
                        t -> {
                            t.remove(DEVICE + "/stats/hardware");
                            t.set(DEVICE + "/stats/hardware/mem_ecc_corrected", "0\n");
                        },
                        NOTHING),
                bad("the device has no counters", t -> t.remove(DEVICE + "/stats"), NOTHING),
                bad(
                        "an error counter has no total",
                        t -> t.remove(ERROR + "/total"),
                        t -> t.set(ERROR + "/present", "3\n")),
                bad(
                        "the core may not be listed",
                        t -> t.failListing(CORE, () -> new AccessDeniedException(CORE)),
                        NOTHING),
                bad(
                        "the status counters may not be listed",
                        t -> t.failListing(STATS + "/status", () -> new AccessDeniedException("status")),
                        NOTHING),
                bad(
                        "the memory error counters may not be listed",
                        t -> t.failListing(DEVICE + "/stats/hardware", () -> new IOException("No such device")),
                        NOTHING),
                bad(
                        "the status counters moved, and one counts",
                        t -> t.move(STATS + "/status", CORE + "/outcomes"),
                        t -> t.set(CORE + "/outcomes/hw_error/total", "3\n")),
                bad(
                        "stats is gone, and an error is counted",
                        t -> t.move(STATS, CORE),
                        t -> t.set(CORE + "/status/hw_error/total", "3\n")),
                bad(
                        "the counters moved deeper, and one counts",
                        t -> t.move(STATS, STATS + "/a/b/c"),
                        t -> t.set(STATS + "/a/b/c/status/timeout/total", "1\n")),
                bad(
                        "the cores moved, and an error is counted",
                        t -> t.move(DEVICE + "/neuron_core", DEVICE + "/cores/neuron_core"),
                        t -> t.set(DEVICE + "/cores/neuron_core1/stats/status/hw_error/total", "3\n")),
                bad(
                        "the memory error counters moved, and one counts",
                        t -> t.move(DEVICE + "/stats/hardware", DEVICE + "/memory"),
                        t -> t.set(DEVICE + "/memory/mem_ecc_uncorrected", "1\n")),
                bad(
                        "the memory error counters moved into the group power of stats",
                        t -> t.move(DEVICE + "/stats/hardware", DEVICE + "/stats/power"),
                        t -> t.set(DEVICE + "/stats/power/mem_ecc_uncorrected", "1\n")),
                bad(
                        "the status counters became plain files, and one counts",
                        t -> {
                            t.remove(STATS + "/status");
                            t.set(STATS + "/status/hw_error", "0\n");
                        },
                        t -> t.set(STATS + "/status/hw_error", "1\n")),
                bad(
                        "a new kind of error is counted",
                        t -> t.counter(STATS + "/status/hw_quantum_error", false),
                        t -> t.set(STATS + "/status/hw_quantum_error/total", "1\n")),
                bad(
                        "a new kind of memory error is counted",
                        t -> t.set(DEVICE + "/stats/hardware/hbm_ecc_uncorrected", "0\n"),
                        t -> t.set(DEVICE + "/stats/hardware/hbm_ecc_uncorrected", "1\n")),
                bad(
                        "a new kind of error is counted at a new place",
                        t -> {
                            t.move(STATS + "/status", CORE + "/runtime/status");
                            t.counter(CORE + "/runtime/status/hw_quantum_error", false);
                        },
                        t -> t.set(CORE + "/runtime/status/hw_quantum_error/total", "1\n")),
                bad(
                        "an error counter stands at two places",
                        t -> t.counter(CORE + "/old/hw_error", false),
                        t -> t.set(CORE + "/old/hw_error/total", "3\n")),
                bad(
                        "a memory error counter stands at two places",
                        t -> t.set(DEVICE + "/old/mem_ecc_uncorrected", "0\n"),
                        t -> t.set(DEVICE + "/old/mem_ecc_uncorrected", "1\n")),
                bad(
                        "the status counters are behind a link",
                        t -> {
                            t.move(STATS + "/status", "sys/elsewhere");
                            t.set("link:" + STATS + "/status", "/sys/elsewhere");
                        },
                        t -> t.set("sys/elsewhere/hw_error/total", "3\n")),
                bad(
                        "the device is of unknown hardware without memory error counters",
                        t -> {
                            t.remove(DEVICE + "/info").remove(DEVICE + "/stats/hardware");
                            t.remove(CORE + "/info").remove(DEVICE + "/neuron_core0/info");
                        },
                        NOTHING),
                bad(
                        "the version of the driver is not a number, and there are no memory error counters",
                        t -> {
                            t.set("sys/module/neuron/version", "2.x.7693.0\n");
                            t.remove(DEVICE + "/stats/hardware");
                        },
                        NOTHING),
                bad(
                        "a new kind of error is counted in a group with another name",
                        t -> {
                            t.move(STATS + "/status", CORE + "/outcomes");
                            t.counter(CORE + "/outcomes/hw_quantum_error", false);
                        },
                        t -> t.set(CORE + "/outcomes/hw_quantum_error/total", "3\n")),
                bad(
                        "a new kind of memory error is counted in a group with another name",
                        t -> {
                            t.move(DEVICE + "/stats/hardware", DEVICE + "/memory");
                            t.set(DEVICE + "/memory/hbm_ecc_uncorrected", "0\n");
                        },
                        t -> t.set(DEVICE + "/memory/hbm_ecc_uncorrected", "3\n")),
                bad(
                        "a new kind of memory error is counted alone",
                        t -> t.set(DEVICE + "/fabric/link_ecc_uncorrectable", "0\n"),
                        t -> t.set(DEVICE + "/fabric/link_ecc_uncorrectable", "3\n")),
                bad(
                        "a new kind of error is counted below info",
                        t -> {
                            t.move(STATS + "/status", CORE + "/info/status");
                            t.counter(CORE + "/info/status/hw_quantum_error", false);
                        },
                        t -> t.set(CORE + "/info/status/hw_quantum_error/total", "3\n")),
                bad(
                        "the core stands at two places",
                        t -> t.counter(DEVICE + "/v2/neuron_core1/status/hw_error", false),
                        t -> t.set(DEVICE + "/v2/neuron_core1/status/hw_error/total", "3\n")),
                bad(
                        "a known driver shows one error counter of all",
                        t -> {
                            t.remove(STATS + "/status");
                            t.counter(STATS + "/status/oob_error", false);
                        },
                        NOTHING),
                bad("a known driver does not show one error counter", t -> t.remove(ERROR), NOTHING),
                bad("a known driver does not show one memory error counter", t -> t.remove(ECC), NOTHING),
                bad(
                        "an error is counted and wiped by a reload",
                        t -> t.count("neuron0/neuron_core1 status/success", 9),
                        t -> t.set(ERROR + "/total", "7\n").reload()),
                bad("the driver is reloaded on a host that has counted nothing", NOTHING, t -> t.reload()),
                bad("the module is another one", NOTHING, t -> t.replace("sys/module/neuron")),
                bad("the device is another one", NOTHING, t -> t.replace(DEVICE)),
                bad(
                        "counters fall together on a host that does not number its directories",
                        t -> t.count("neuron0/neuron_core1 status/success", 9)
                                .count("neuron0/neuron_core1 other_info/inference_count", 9),
                        t -> t.count("neuron0/neuron_core1 status/success", 0)
                                .count("neuron0/neuron_core1 other_info/inference_count", 0)),
                bad(
                        "counters of the other core fall together",
                        t -> t.count("neuron0/neuron_core0 status/success", 9)
                                .count("neuron0/neuron_core0 other_info/inference_count", 9),
                        t -> t.count("neuron0/neuron_core0 status/success", 1)
                                .count("neuron0/neuron_core0 other_info/inference_count", 1)),
                bad(
                        "two error counters fall together",
                        t -> t.set(ERROR + "/total", "9\n").set(STATS + "/status/timeout/total", "9\n"),
                        t -> t.set(ERROR + "/total", "0\n").set(STATS + "/status/timeout/total", "0\n")),
                bad("a status counter appears", NOTHING, t -> t.counter(STATS + "/status/hw_quantum_error", false)),
                bad(
                        "a memory error counter appears",
                        NOTHING,
                        t -> t.set(DEVICE + "/stats/hardware/hbm_ecc_uncorrected", "1\n")),
                bad("a group of counters appears", NOTHING, t -> t.counter(STATS + "/errors/fabric", false)),
                bad("a group appears beside stats", NOTHING, t -> t.counter(CORE + "/errors/fabric", false)),
                bad(
                        "a group of the device appears",
                        NOTHING,
                        t -> t.set(DEVICE + "/stats/fabric/link_ecc_uncorrected", "1\n")),
                bad(
                        "a counter appears below the memory error counters",
                        NOTHING,
                        t -> t.set(DEVICE + "/stats/hardware/health_status/sram_ecc_uncorrected", "1\n")),
                bad("a core appears", NOTHING, t -> t.counter(DEVICE + "/neuron_core2/stats/status/hw_error", false)),
                bad("the other core is gone", NOTHING, t -> t.remove(DEVICE + "/neuron_core0")),
                bad(
                        "the health report of the device is gone",
                        NOTHING,
                        t -> t.remove(DEVICE + "/stats/hardware/health_status")),
                bad("memory of the device breaks", NOTHING, t -> t.set(HEALTH, "hbm\n")),
                bad("more of the device breaks", t -> t.set(HEALTH, "hbm\n"), t -> t.set(HEALTH, "hbm,sram\n")),
                bad("the device becomes unreachable", NOTHING, t -> t.set(HEALTH, "device_unreachable\n")),
                bad("a component breaks that is not known", NOTHING, t -> t.set(HEALTH, "warp_core\n")),
                bad(
                        "the health report cannot be read any more",
                        NOTHING,
                        t -> t.failFile(HEALTH, () -> new IOException("Input/output error"))),
                bad(
                        "a reset of the core fails",
                        NOTHING,
                        t -> t.count("neuron0/neuron_core1 other_info/reset_fail_count", 1)),
                bad("there is no device", t -> t.remove(DEVICE), NOTHING),
                bad("there is no core", t -> t.remove(DEVICE + "/neuron_core"), NOTHING));
    }

    private Judgement judge(Consumer<TreeFixture> before, Consumer<TreeFixture> during) {
        before.accept(tree);
        NeuronHost host = NeuronHost.discover(tree);
        CounterScope scope = new CounterScopes(host).of(List.of(host.cores().get(1)));
        Expectation<CounterDiff> rules = CounterExpectations.DEFAULT.arm(scope);
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);
        during.accept(tree);
        return rules.judge(recorder.stop());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"hosts", "contents"})
    void brokenHostIsNotGreen(String name, Consumer<TreeFixture> before, Consumer<TreeFixture> during) {
        // when
        String verdict;
        try {
            Judgement judgement = judge(before, during);
            verdict = judgement.violations().isEmpty() && judgement.undecided().isEmpty()
                    ? "green"
                    : !judgement.violations().isEmpty() ? "failed" : "undecided";
        } catch (RuntimeException cannotBegin) {
            verdict = String.valueOf(cannotBegin.getMessage());
        }

        // then
        assertThat(verdict).as(name).isNotEqualTo("green").isNotBlank();
    }

    @Test
    void aHealthyHostIsGreen() {
        // when
        Judgement judgement = judge(NOTHING, t -> t.count("neuron0/neuron_core1 status/success", 3));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided()).isEmpty();
    }

    @Test
    void healthyHostIsGreenWithoutEccHardware() {
        // when
        Judgement judgement = judge(
                t -> t.remove(DEVICE + "/stats/hardware").set(DEVICE + "/info/architecture/instance_type", "Inf1\n"),
                NOTHING);

        // then
        assertThat(judgement.undecided()).isEmpty();
    }

    @Test
    void healthyHostIsGreenWithoutEccCountersInDriver() {
        // when
        Judgement judgement = judge(
                t -> t.remove(DEVICE + "/stats/hardware").set("sys/module/neuron/version", "2.13.4.0\n"), NOTHING);

        // then
        assertThat(judgement.undecided()).isEmpty();
    }

    @Test
    void aHealthyHostWithMovedNodesIsGreen() {
        // when
        Judgement judgement = judge(t -> t.move(STATS, CORE), t -> t.set(CORE + "/status/success/total", "3\n"));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided()).isEmpty();
    }
}
