package dev.neurontest.device;

import static dev.neurontest.device.HostFixture.Kind.TRN1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnersTest {

    @TempDir
    Path root;

    private HostFixture fixture;

    @BeforeEach
    void host() {
        fixture = new HostFixture(root).devices(TRN1, 0, 1, 10);
    }

    private List<ProcessOwner> owners(int device) {
        NeuronHost host = fixture.host();
        return host.owners(host.devices().stream()
                .filter(each -> each.index() == device)
                .findFirst()
                .orElseThrow());
    }

    @Test
    void areTheProcessesWithTheDeviceOpen() {
        // given
        fixture.link("proc/1200/fd/0", "socket:[4711]")
                .link("proc/1200/fd/7", "/dev/neuron0")
                .link("proc/1200/fd/8", "/dev/neuron0")
                .file("proc/1200/comm", "python3\n")
                .link("proc/300/fd/5", "/dev/neuron0")
                .link("proc/300/fd/6", "/dev/neuron1")
                .file("proc/300/comm", "neuron-monitor\n");

        // then
        assertThat(owners(0))
                .containsExactly(new ProcessOwner(300, "neuron-monitor"), new ProcessOwner(1200, "python3"));
        assertThat(owners(1)).containsExactly(new ProcessOwner(300, "neuron-monitor"));
        assertThat(owners(10)).isEmpty();
    }

    @Test
    void areFoundForAllDevicesAtOnce() {
        // given
        fixture.link("proc/300/fd/5", "/dev/neuron10").file("proc/300/comm", "a\n");
        NeuronHost host = fixture.host();

        // then
        assertThat(host.owners())
                .containsOnlyKeys(host.devices().get(2))
                .containsValue(List.of(new ProcessOwner(300, "a")));
    }

    @Test
    void areFoundByRenumberedNode() {
        // given
        fixture.sysfs("neuron0/dev", "243:0\n")
                .sysfs("neuron1/dev", "243:1\n")
                .node("dev/neuron0", 243, 1)
                .link("proc/300/fd/5", "/dev/neuron0")
                .file("proc/300/comm", "a\n");

        // then
        assertThat(owners(1)).containsExactly(new ProcessOwner(300, "a"));
    }

    @Test
    void excludeProcessesWithOtherFilesOpen() {
        // given
        fixture.link("proc/300/fd/5", "/dev/neuron")
                .link("proc/300/fd/6", "/tmp/dev/neuron0")
                .link("proc/300/fd/7", "/dev/neuron00")
                .link("proc/self/fd/8", "/dev/neuron0")
                .file("proc/cpuinfo", "");

        // then
        assertThat(owners(0)).isEmpty();
    }

    @Test
    void includeOnlyVisibleProcesses() {
        // given a process of another user, a process that ends during the query, and a readable process
        fixture.link("proc/1/fd/5", "/dev/neuron0")
                .failing("proc/1/fd", new AccessDeniedException("proc/1/fd"))
                .link("proc/2/fd/5", "/dev/neuron0")
                .failing("proc/2/fd", new NoSuchFileException("proc/2/fd"))
                .link("proc/3/fd/5", "/dev/neuron0")
                .failing("proc/3/comm", new IOException("No such process"));

        // then
        assertThat(owners(0)).containsExactly(new ProcessOwner(3, "?"));
    }

    @Test
    void areNoneWhereProcessesAreNotShown() {
        // then
        assertThat(owners(0)).isEmpty();
    }

    @Test
    void areNamedWithCommandAndPid() {
        // then
        assertThat(new ProcessOwner(300, "neuron-monitor")).hasToString("neuron-monitor (pid 300)");
    }

    @Test
    void areEmptyWhenReferenceCountIsZero() {
        // given
        fixture.link("proc/300/fd/5", "/dev/neuron0").file("proc/300/comm", "a\n");
        assertThat(owners(0)).hasSize(1);

        // when: a process that has ended since it was listed
        fixture.file("sys/module/neuron/refcnt", "0\n");

        // then
        assertThat(owners(0)).isEmpty();

        // when
        fixture.file("sys/module/neuron/refcnt", "2\n");

        // then
        assertThat(owners(0)).hasSize(1);
    }
}
