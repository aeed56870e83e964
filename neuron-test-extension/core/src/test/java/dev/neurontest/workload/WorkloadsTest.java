package dev.neurontest.workload;

import static dev.neurontest.internal.process.ProcessFixture.isGone;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.process.ProcessFixture;
import dev.neurontest.internal.workload.FailedWorkloads;
import dev.neurontest.internal.workload.WorkloadContext;
import dev.neurontest.internal.workload.WorkloadObserver;
import dev.neurontest.patience.Patience;
import dev.neurontest.workload.ChildEnd.Cause;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadsTest {

    @TempDir
    Path root;

    @TempDir
    Path folder;

    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    private NeuronHost host;

    @AutoClose
    private Workloads workloads;

    @BeforeEach
    void workloads() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        workloads = on(host.cores().subList(1, 3));
    }

    private Workloads on(List<NeuronCore> cores) {
        WorkloadObserver observer = new WorkloadObserver() {
            @Override
            public void ended(ProcessHandle child, WorkloadResult result) {
                heard.add(result.name());
            }
        };
        return new Workloads(new WorkloadContext(
                host, cores, () -> folder, "a test", () -> Map.of("NEURON_FAKE_ROOT", "/fake"), observer));
    }

    private NeuronWorkload sleeping(String name) {
        return workloads
                .command("/bin/sh", "-c", "echo ready; exec sleep 600")
                .name(name)
                .readyWhenPrinted("ready")
                .start()
                .awaitReady();
    }

    @Test
    void startWithCoresAndVariablesOfTest() {
        // when
        WorkloadResult result = workloads.command("env").run();

        // then
        assertThat(result.stdout())
                .contains("NEURON_RT_VISIBLE_CORES=1-2\n")
                .contains("NEURON_LOGICAL_NC_CONFIG=1\n")
                .contains("NEURON_PROCESS_TAG=a test\n")
                .contains("NEURON_FAKE_ROOT=/fake\n");
        assertThat(result.folder()).contains(folder.resolve("workload-env"));
        assertThat(workloads.results()).containsExactly(result);
    }

    @Test
    void mayUseFewerCores() {
        // then
        assertThat(workloads.command("true").on(host.cores().get(2)).run().visibleCores())
                .isEqualTo("2");
    }

    @Test
    void requireChoiceWhenCoresAreScattered() {
        // given
        workloads = on(List.of(host.cores().get(0), host.cores().get(2)));

        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> workloads.command("true").run())
                .withMessageStartingWith("The cores 0, 2 are not in a row");
        assertThat(workloads.command("true").on(host.cores().get(2)).run().succeeded())
                .isTrue();
    }

    @Test
    void requireEmptyOnWhenTestHasNoCores() {
        // given
        workloads = on(List.of());

        // then
        assertThatIllegalStateException()
                .isThrownBy(() -> workloads.command("true").run());
        assertThat(workloads.command("true").on().run().succeeded()).isTrue();
    }

    @Test
    void areStoppedNewestFirstAndOnce() {
        // given
        NeuronWorkload first = sleeping("first");
        NeuronWorkload second = sleeping("second");
        WorkloadResult ended = workloads.command("true").name("third").run();

        // when
        workloads.close();
        workloads.close();

        // then
        assertThat(heard).containsExactly("third", "second", "first");
        assertThat(workloads.results())
                .extracting(WorkloadResult::name, WorkloadResult::cause)
                .containsExactly(
                        tuple("first", Cause.STOPPED), tuple("second", Cause.STOPPED), tuple("third", Cause.EXITED));
        assertThat(workloads.results()).contains(ended);
        assertThat(isGone(first.pid())).isTrue();
        assertThat(isGone(second.pid())).isTrue();
    }

    @Test
    void areViolationsWhenStillRunningAtTestEnd() {
        // given
        sleeping("server");
        NeuronWorkload stopped =
                workloads.command("sleep", "600").name("stopped").start();
        workloads.command("sleep", "600").name("forgotten").start();
        workloads.command("sleep", "600").name("allowed").endedByTest().start();
        stopped.stop();

        // when
        workloads.close();

        // then
        assertThat(FailedWorkloads.of(workloads.results()).judgement().violations())
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.subject()).startsWith("workload forgotten (pid ");
                    assertThat(violation.actual()).isEqualTo("still running");
                    assertThat(violation.advice()).isEqualTo("Await it, or call endedByTest().");
                });
    }

    @Test
    void areStoppedByInterruptedThread() {
        // given
        NeuronWorkload first = sleeping("first");
        NeuronWorkload second = sleeping("second");

        // when
        Thread.currentThread().interrupt();
        workloads.close();

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(isGone(first.pid())).isTrue();
        assertThat(isGone(second.pid())).isTrue();
        assertThat(workloads.results()).hasSize(2);
    }

    @Test
    void areNotStartedAfterTheTest() {
        // given
        NeuronWorkload.Builder late = workloads.command("true");
        workloads.close();

        // then
        assertThatIllegalStateException()
                .isThrownBy(late::start)
                .withMessage("The test has ended: no workload can be started for it.");
        assertThat(workloads.results()).isEmpty();
    }

    @Test
    void areStoppedWhenTheTestEndsWhileTheyStart() throws Exception {
        // given
        List<Long> pids = Collections.synchronizedList(new ArrayList<>());
        Thread starting = new Thread(() -> {
            try {
                while (true) {
                    pids.add(workloads.command("sleep", "600").start().pid());
                }
            } catch (IllegalStateException over) {
                heard.add("over");
            }
        });
        starting.start();
        await().until(() -> pids.size() > 2);

        // when
        workloads.close();
        starting.join(Patience.LIMIT.toMillis());

        // then
        assertThat(heard).contains("over");
        assertThat(pids).allMatch(ProcessFixture::isGone);
        assertThat(ProcessHandle.current()
                        .children()
                        .filter(child -> child.info()
                                .arguments()
                                .filter(arguments -> List.of(arguments).equals(List.of("600")))
                                .isPresent()))
                .isEmpty();
    }
}
