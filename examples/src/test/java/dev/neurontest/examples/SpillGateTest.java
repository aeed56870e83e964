package dev.neurontest.examples;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;

import dev.neurontest.MaxSpill;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileNeff;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.profile.EventQuery;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileEvents;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests for a kernel developer: the kernel stays in the State Buffer and does not spend most of its time with
 * transposes.
 */
@NeuronTest
class SpillGateTest {

    @BeforeAll
    static void compile() throws IOException {
        CompiledModel.compile();
    }

    @Test
    @ProfileNeff(CompiledModel.ATTENTION)
    @MaxSpill("0 B")
    void staysInTheStateBuffer(NeuronCore core) {}

    // tag::events
    @Test
    @ProfileNeff(value = "target/models/attention.neff", fullJson = true)
    void spendsItsTimeWithMoreThanTransposes(NeuronCore core, Profile profile) {
        ProfileEvents events =
                ProfileEvents.read(profile.executions().get(0).fullJson().orElseThrow());

        assertThat(events).spendsAtMost("50 %", EventQuery.transposes());
    }
    // end::events
}
