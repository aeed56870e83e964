package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests of the processes of this machine. */
class ProcessTableIT {

    private final ProcessTable table = new ProcessTable();

    @Test
    void identifiesThisProcess() {
        // then
        assertThat(table.self().pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(table.self().namespace()).matches("[0-9a-f-]{36} pid:\\[\\d+] (time:\\[\\d+]|unknown)");
        assertThat(table.liveness(table.self())).isEqualTo(ProcessTable.Liveness.ALIVE);
    }

    @Test
    void detectsEndOfChild() throws Exception {
        // given
        Process child = new ProcessBuilder("sleep", "1000").start();
        ProcessIdentity identity = table.identity(child.pid());
        assertThat(table.liveness(identity)).isEqualTo(ProcessTable.Liveness.ALIVE);
        assertThat(table.ancestry(child.pid()))
                .extracting(ProcessIdentity::pid)
                .startsWith(child.pid(), ProcessHandle.current().pid());

        // when
        child.destroyForcibly().waitFor();

        // then
        assertThat(table.liveness(identity)).isEqualTo(ProcessTable.Liveness.ENDED);
    }
}
