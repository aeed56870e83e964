package dev.neurontest.internal.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The devices of this machine when they are a fake's, which {@code fake-sysfs exec} shows in their place. */
final class FakeAtRealPath {

    private static final String ROOT = "NEURON_FAKE_ROOT";

    private FakeAtRealPath() {}

    /** Why tests on these devices are none on hardware; empty when the kernel shows them. */
    static Optional<String> reason(Path devices) {
        String root = System.getenv(ROOT);
        if (root == null || root.isEmpty()) {
            return Optional.empty();
        }
        try {
            String type = Files.getFileStore(devices).type();
            return type.equals("sysfs")
                    ? Optional.empty()
                    : Optional.of(
                            "%s is a fake's (on %s, not sysfs) and no hardware; neuron.test.platform=root:%s chooses it"
                                    .formatted(devices, type, root));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
