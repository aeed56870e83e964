package dev.neurontest.fake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Short methods to read and write a fake host's files. */
final class HostFixture {

    static final String DEVICES = "sys/devices/virtual/neuron_device/";

    private HostFixture() {}

    static FakeNeuronHost host(String instance, String layout) {
        return FakeNeuronHost.builder().instance(instance).layout(layout).start();
    }

    /** Returns the content of a file below the devices' directory. */
    static String read(FakeNeuronHost host, String file) throws IOException {
        return new String(host.tree().read(DEVICES + file), StandardCharsets.UTF_8);
    }

    static int write(FakeNeuronHost host, String file, String content) throws IOException {
        return host.tree().write(DEVICES + file, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns total and present of a counter. */
    static String counter(FakeNeuronHost host, String counter) throws IOException {
        return read(host, counter + "/total").strip() + "/"
                + read(host, counter + "/present").strip();
    }
}
