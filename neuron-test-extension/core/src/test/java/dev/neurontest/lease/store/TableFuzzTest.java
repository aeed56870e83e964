package dev.neurontest.lease.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.process.ProcessIdentity;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lease tables that another program has written, or that are broken anywhere. */
class TableFuzzTest {

    private static final ProcessIdentity JVM = new ProcessIdentity(11, 7, "pid:[4026531836]", "me");
    private static final ProcessIdentity CHILD = new ProcessIdentity(55, 8, "pid:[4026531836]", "me");
    private static final Instant SINCE = Instant.parse("2026-01-01T12:00:00Z");

    private static TableState table() {
        return new TableState(
                9,
                List.of(new TableState.Member(1, JVM, "token", "/tmp/a\tb\ud83d\ude00", SINCE)),
                List.of(new TableState.Ticket(8, 1, "C.d()", "2 cores", "main", 1, List.of(2L, 3L), true)),
                List.of(new TableState.Claim(
                        2,
                        1,
                        11,
                        "A.b()\n",
                        "main",
                        1,
                        4,
                        SINCE,
                        List.of("0+1", "2+3"),
                        List.of(),
                        true,
                        List.of(CHILD))),
                List.of(new TableState.Barred(
                        5,
                        "4+5",
                        "it \\ hung",
                        "A.b()",
                        1,
                        11,
                        SINCE,
                        Until.PROCESSES_END,
                        DeviceReading.parse("serial=1; driver=a b"),
                        List.of(CHILD, JVM),
                        "jvm-11-ab-1/lease-2",
                        1)),
                List.of(new TableState.Suspect(
                        "4+5", "status 5", "B.c()", "B.c", DeviceReading.parse("mem_ecc_uncorrected=2"))),
                List.of(new TableState.Past(7, 6, 11, "E.f()", List.of("6"), List.of(2L))),
                List.of(new TableState.Question(9, 1, true)));
    }

    @Test
    void areReadBackAsTheyAreWritten() {
        // then
        Fuzzing.of(TableFuzzTest.class, "table")
                .seeds(TableText.write(table()), TableText.write(new TableState()))
                .words("\tpid=", "\twithin=", "\tcores=", "process\t", "lease\t", "\\u000a", ",")
                .refusing(TableText.MalformedTableException.class)
                .check(input -> TableText.read(new String(input, UTF_8)), (input, table) -> {
                    String written = TableText.write(table);
                    TableState again = TableText.read(written);
                    assertThat(TableText.write(again)).isEqualTo(written);
                    assertThat(again.claims()).hasSameSizeAs(table.claims());
                    assertThat(again.barred()).hasSameSizeAs(table.barred());
                });
    }
}
