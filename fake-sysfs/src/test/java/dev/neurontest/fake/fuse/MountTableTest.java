package dev.neurontest.fake.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the kernel says of mounts, and what this program reads out of it. */
class MountTableTest {

    @Test
    void lineSaysWhereWhatAndWhose() {
        String table = """
                22 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/root rw
                90 22 0:47 / /tmp/with\\040blank/sys rw,nosuid - fuse.neuron-fake neuron-fake-42-777 rw,user_id=0
                broken
                """;

        assertThat(MountTable.parse(table))
                .containsExactly(
                        new MountTable.Mount("254:0", "/", "ext4", "/dev/root", "rw"),
                        new MountTable.Mount(
                                "0:47",
                                "/tmp/with blank/sys",
                                "fuse.neuron-fake",
                                "neuron-fake-42-777",
                                "rw,user_id=0"));
    }

    @Test
    void ownerIsAProcessAndItsStart() throws Exception {
        MountOwner owner = MountOwner.current();

        assertThat(MountOwner.of(owner.source())).contains(owner);
        assertThat(owner.state()).isEqualTo(MountOwner.State.ALIVE);
        assertThat(new MountOwner(owner.pid(), owner.started() + 1).state()).isEqualTo(MountOwner.State.GONE);
        assertThat(MountOwner.of("neuron-fake-x-1")).isEmpty();
        assertThat(MountOwner.of("sshfs")).isEmpty();
    }
}
