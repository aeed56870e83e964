package dev.neurontest.internal.print.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.runtime.stream.StreamEvent;
import dev.neurontest.print.DevicePrint;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class StreamEventSourceTest {

    /**
     * Returns an event without its payload. Only a library writes a header, and no available one omits the payload of a
     * print.
     */
    private static StreamEvent withoutPayload(long promised, int type) throws ReflectiveOperationException {
        StreamEvent event = new StreamEvent();
        Field fields = StreamEvent.class.getDeclaredField("fields");
        fields.setAccessible(true);
        ((ByteBuffer) fields.get(event)).putLong(0, promised).putInt(8, type);
        return event;
    }

    @Test
    void printWithoutPayloadHasNoAvailableBytes() throws ReflectiveOperationException {
        // given
        StreamEvent event = withoutPayload(PrintLayout.DATA + 4, DevicePrint.EVENT_TYPE);

        // then
        assertThat(new StreamEventSource(event).available()).isZero();
    }
}
