package dev.neurontest.internal.runtime.stream;

import java.util.List;

/**
 * The three functions of {@code nrt/ndebug_stream.h}, available since runtime 2.29.40. They take locks and may block. Addresses are plain
 * numbers, because one of the functions is called for each event.
 */
final class DebugStreamCalls {

    static final List<String> SYMBOLS =
            List.of("nrt_debug_client_connect", "nrt_debug_client_connect_close", "nrt_debug_client_read_one_event");

    private DebugStreamCalls() {}

    static native int nrt_debug_client_connect(int core, long fd);

    static native void nrt_debug_client_connect_close(int fd);

    static native int nrt_debug_client_read_one_event(int fd, long header, long payload);
}
