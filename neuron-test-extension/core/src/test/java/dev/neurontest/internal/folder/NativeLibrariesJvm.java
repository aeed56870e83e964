package dev.neurontest.internal.folder;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.fake.FakeView;
import dev.neurontest.internal.profile.table.TableFixture;
import dev.neurontest.internal.runtime.InstalledRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A JVM that loads all native libraries: of DuckDB, and of JNA for the runtime and for FUSE. */
final class NativeLibrariesJvm {

    private NativeLibrariesJvm() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        attempt(() -> TableFixture.write(folder, "Summary", "select 1 as total_time"));
        FakeNeuronHost host =
                FakeNeuronHost.builder().root(folder.resolve("host")).start();
        if (FakeRuntime.unavailable().isEmpty()) {
            attempt(() -> InstalledRuntime.find(host.directory(), Optional.empty()));
        }
        if (Files.isWritable(Path.of("/dev/fuse"))) {
            attempt(() -> {
                FakeNeuronHost mounted = FakeNeuronHost.builder()
                        .view(FakeView.FUSE)
                        .root(folder.resolve("mount"))
                        .start();
                mounted.directory();
                mounted.viewFallback().filter(reason -> reason.contains("JNA")).ifPresent(System.out::println);
            });
        }
        System.out.println("loaded");
        System.in.read();
        host.close();
        System.exit(0);
    }

    private static void attempt(Runnable use) {
        try {
            use.run();
        } catch (RuntimeException unavailable) {
            System.out.println(unavailable.getMessage().replace("\n", " "));
        }
    }
}
