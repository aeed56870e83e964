package dev.neurontest;

import static org.awaitility.Awaitility.await;

import dev.neurontest.fake.FakeNeuronHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The host that the forks of a build share. {@code serve DIRECTORY} creates it and ends with the build; {@code await
 * DIRECTORY} waits until it answers.
 */
final class ServedRoot {

    private ServedRoot() {}

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[1]).toAbsolutePath();
        if (arguments[0].equals("await")) {
            await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(root.resolve("control.sock")));
            return;
        }
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.32xlarge").root(root).start()) {
            host.directory();
            ProcessHandle.current().parent().orElseThrow().onExit().join();
        }
    }
}
