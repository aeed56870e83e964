package dev.neurontest.fake.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who serves a mount, as its source says. */
class MountOwnerTest {

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
