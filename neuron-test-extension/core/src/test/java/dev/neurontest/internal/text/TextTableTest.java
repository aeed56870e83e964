package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void alignsNumbersToTheRightAndTextToTheLeft() {
        // given
        TextTable table = new TextTable("name", ">value", "");

        // when
        table.row("a", "1", "kept").row("longer", "100 000", "");

        // then
        assertThat(table).hasToString("""
                name      value
                a             1  kept
                longer  100 000
                """);
    }

    @Test
    void wrapsLastColumnWhenTableIsTooWide() {
        // given
        TextTable table = new TextTable("counter", ">delta", "rule").within(50);

        // when
        table.row("neuron0 status/timeout", "+3", "no error counter may move").row("short", "0", "short");

        // then
        assertThat(table).hasToString("""
                counter                 delta  rule
                neuron0 status/timeout     +3  no error counter
                                               may move
                short                       0  short
                """);
    }

    @Test
    void wrapsOtherColumnsWhenLastWouldBeNarrow() {
        // given
        TextTable table = new TextTable("counter", ">delta", "rule").within(81);

        // when
        table.row("neuron0/neuron_core0 memory_usage/device_mem", "+3", "@ExpectCounter(\"device_mem\", delta = 100)");

        // then
        assertThat(table).hasToString("""
                counter                                 delta  rule
                neuron0/neuron_core0                       +3  @ExpectCounter("device_mem",
                memory_usage/device_mem                        delta = 100)
                """);
    }

    @Test
    void narrowsAllColumnsAsLastResort() {
        // given
        TextTable table = new TextTable("counter", ">delta", "rule").within(41);

        // when
        table.row("neuron0 status/timeout", "+3", "no error counter may move");

        // then
        assertThat(table).hasToString("""
                counter           delta  rule
                neuron0              +3  no error counter
                status/timeout           may move
                """);
    }

    @Test
    void breaksAPathBehindASlashAndAWordAnywhere() {
        // given
        TextTable table = new TextTable("", "path").within(24);

        // when
        table.row("x", "/sys/devices/virtual/neuron0").row("y", "a".repeat(30));

        // then
        assertThat(table).hasToString("""
                   path
                x  /sys/devices/virtual/
                   neuron0
                y  aaaaaaaaaaaaaaaaaaaaa
                   aaaaaaaaa
                """);
    }

    @Test
    void keepsAValueInQuotesWhole() {
        // given
        TextTable table = new TextTable("margin", "rule").within(28);

        // when
        table.row("6.7 % over", "@MaxLatency(\"15 ms\")");

        // then
        assertThat(table).hasToString("""
                margin      rule
                6.7 % over  @MaxLatency(
                            "15 ms")
                """);
    }

    @Test
    void leavesNumbersWhole() {
        // given
        TextTable table = new TextTable("name", ">value").within(20);

        // when
        table.row("a name of 20 letters", "18446744073709551615");

        // then
        assertThat(table).hasToString("""
                name                             value
                a name of 20      18446744073709551615
                letters
                """);
    }

    @Test
    void leavesFittingTableUnchanged() {
        // given
        TextTable table = new TextTable("name", "rule").row("a", "one two");

        // when, then
        assertThat(table.within(13)).hasToString("name  rule\na     one two\n");
    }
}
