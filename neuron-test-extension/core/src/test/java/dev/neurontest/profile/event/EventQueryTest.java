package dev.neurontest.profile.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EventQueryTest {

    @Test
    void readsLikeASentence() {
        // given
        EventQuery query = EventQuery.engine("Tensor")
                .and(EventQuery.layerContains("mlp").or(EventQuery.hloNameContains("dot")))
                .and(EventQuery.compilerOpcode("X"));

        // then
        assertThat(query)
                .hasToString(
                        "(engine is \"Tensor\" and (layer contains \"mlp\" or hlo_name contains \"dot\")) and compiler_opcode is \"X\"");
    }

    @Test
    void isAValue() {
        // then
        assertThat(EventQuery.opcode("A").or(EventQuery.layer("b")))
                .isEqualTo(EventQuery.opcode("A").or(EventQuery.layer("b")))
                .hasSameHashCodeAs(EventQuery.opcode("A").or(EventQuery.layer("b")))
                .isNotEqualTo(EventQuery.opcode("A").and(EventQuery.layer("b")))
                .isNotEqualTo(EventQuery.opcodeContains("A").or(EventQuery.layer("b")));
    }

    @Test
    void ofNoTextIsRefused() {
        // then
        assertThatThrownBy(() -> EventQuery.engineContains(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The engine to look for is empty.");
    }

    @Test
    void mayShareItsConditionsWithOthers() {
        // given
        ProfileEventsReader reader = ProfileEvents.reader();

        // when
        for (int query = 0; query < 100; query++) {
            reader = reader.query("query" + query, EventQuery.opcode("same"));
        }

        // then
        assertThat(reader).isNotNull();
    }

    @Test
    void ofTooManyConditionsIsRefusedWhenItIsAsked() {
        // given
        EventQuery query = EventQuery.layer("layer0");
        for (int layer = 1; layer < 63; layer++) {
            query = query.or(EventQuery.layer("layer" + layer));
        }
        EventQuery many = query;

        // then
        assertThatThrownBy(() -> ProfileEvents.reader().query("many", many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "The queries have 65 different conditions, of which one reading takes 64. Read again for the other queries.");
    }
}
