package dev.neurontest.fake.internal.mounts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests of the parser of the kernel's list of mounts. */
class MountTableTest {

    @Test
    void parsesMountInfoLines() {
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
}
