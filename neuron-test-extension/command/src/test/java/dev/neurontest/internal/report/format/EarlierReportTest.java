package dev.neurontest.internal.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class EarlierReportTest {

    @Test
    void keepsNoTestInMemoryAfterReading() throws IOException {
        // given a report of 200 MB
        int tests = 50_000;
        String recordings = "[{\"kind\":\"counters\",\"recording\":{\"moved\":[\"%s\"]}}]".formatted("x".repeat(4_000));
        long before = used();
        LongAdder held = new LongAdder();
        Reader large = new Reader() {

            private int next;
            private String rest =
                    "{\"version\":1,\"kind\":\"neuron-report\",\"jvms\":[{\"file\":\"run.jsonl\",\"started\":\"2026-11-21T02:10:00Z\",\"ended\":\"2026-11-21T02:10:00Z\",\"finished\":true,\"versions\":{},\"shards\":[]}],\"tests\":[";

            @Override
            public int read(char[] into, int offset, int length) {
                if (rest.isEmpty() && next < tests) {
                    rest =
                            "%s{\"jvm\":0,\"id\":\"t%s\",\"name\":\"t\",\"container\":false,\"outcome\":\"passed\",\"cores\":[],\"started\":\"2026-11-21T02:10:00Z\",\"tookNanos\":1,\"waitedNanos\":0,\"violations\":[],\"undecided\":[],\"notApplicable\":[],\"simulated\":false,\"notices\":[],\"recordings\":%s,\"comparisons\":[],\"attachments\":[],\"retries\":0}"
                                    .formatted(next == 0 ? "" : ",", next, recordings);
                    next++;
                } else if (rest.isEmpty() && next == tests) {
                    held.add(used() - before);
                    rest = "]}";
                    next++;
                }
                int read = Math.min(length, rest.length());
                rest.getChars(0, read, into, offset);
                rest = rest.substring(read);
                return read == 0 ? -1 : read;
            }

            @Override
            public void close() {}
        };

        // when
        LongAdder read = new LongAdder();
        EarlierReport.read(large, (test, jvm) -> read.increment());

        // then
        assertThat(read.sum()).isEqualTo(tests);
        assertThat(held.sum()).isLessThan(30_000_000);
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
