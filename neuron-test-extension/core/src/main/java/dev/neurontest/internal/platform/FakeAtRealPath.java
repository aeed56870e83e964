package dev.neurontest.internal.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Check for devices of a fake at the path of this machine's own devices, where {@code fake-sysfs exec} mounts them. */
final class FakeAtRealPath {

    private static final String ROOT = "NEURON_FAKE_ROOT";

    private FakeAtRealPath() {}

    /** Returns the reason why tests on these devices do not run on hardware; empty when the kernel provides them. */
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
                            "%s belongs to a fake (on %s, not sysfs) and is not hardware; set neuron.test.platform=root:%s to use it"
                                    .formatted(devices, type, root));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
