package dev.neurontest.fake.internal.command;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.folder.PrivateFolder;
import dev.neurontest.fake.internal.runtime.LibraryFile;
import dev.neurontest.fake.internal.tree.directory.HostTools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runner of programs that find a fake host at the path of a real one. A launcher gives each program a separate mount namespace
 * ({@code src/main/c/realpath}).
 */
final class RealPath implements AutoCloseable {

    /** The paths without which a host is not a Neuron host. */
    private static final List<String> DRIVER =
            List.of("sys/devices/virtual/neuron_device", "sys/class/neuron_device", "sys/module/neuron");

    private static final List<String> REST =
            List.of("proc/devices", "opt/aws/neuron", "sys/devices/virtual/dmi/id/product_name");

    private static final String DEVICES = "dev";
    private static final String DEVICE = "neuron";

    private static final String OTHERWISE =
            "; alternatively, let the program read a directory: fake-sysfs serve --root DIR, then source DIR/env.sh";

    private final FakeNeuronHost host;
    private final PrivateFolder folder;
    private final Path launcher;

    private RealPath(FakeNeuronHost host, PrivateFolder folder) {
        this.host = host;
        this.folder = folder;
        this.launcher = folder.path().resolve("at-real-path");
    }

    /** Returns the reason why programs cannot be run this way; empty if the build has created a launcher. */
    static Optional<String> unavailable() {
        String system = System.getProperty("os.name", "");
        if (!system.equals("Linux")) {
            return Optional.of("the real path requires Linux, but this is " + system + OTHERWISE);
        }
        if (RealPath.class.getResource(resource()) == null) {
            return Optional.of("the launcher for the real path was not built for " + LibraryFile.machine()
                    + LibraryFile.NOT_BUILT + OTHERWISE);
        }
        return Optional.empty();
    }

    private static String resource() {
        return "at-real-path-" + LibraryFile.machine();
    }

    /**
     * Creates the launcher in a private folder, where no other user can replace it. The root of the host may be in a
     * directory of another user, and root may run the launcher.
     */
    static RealPath of(FakeNeuronHost host) throws IOException {
        RealPath made = new RealPath(host, PrivateFolder.make(Path.of(System.getProperty("java.io.tmpdir"))));
        try (InputStream program = RealPath.class.getResourceAsStream(resource())) {
            if (program == null) {
                throw new IOException(resource() + " is missing from the package of " + RealPath.class.getName());
            }
            made.folder.requireExecutable();
            Files.copy(program, made.launcher);
            Files.setPosixFilePermissions(made.launcher, PosixFilePermissions.fromString("rwx------"));
            return made;
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    /** Creates a program with the terminal and the streams of this one. Its search paths are those of a real host. */
    ProcessBuilder program(List<String> command) {
        List<String> words = new ArrayList<>(List.of(
                launcher.toString(),
                "--starter",
                String.valueOf(ProcessHandle.current().pid())));
        DRIVER.forEach(path -> words.addAll(List.of("--bind", source(path), "/" + path)));
        REST.forEach(path -> words.addAll(List.of("--try-bind", source(path), "/" + path)));
        words.addAll(List.of(
                "--try-numbered",
                source(DEVICES),
                "/" + DEVICES,
                DEVICE,
                String.valueOf(host.devices().size())));
        words.add("--");
        words.addAll(command);
        ProcessBuilder program = new ProcessBuilder(words).inheritIO();
        Map<String, String> environment = program.environment();
        environment.put("PYTHONPATH", HostTools.pythonPath(Path.of("/"), environment));
        environment.put("NEURON_FAKE_ROOT", host.directory().toString());
        return program;
    }

    private String source(String path) {
        return host.directory().resolve(path).toString();
    }

    /** Sends a signal to a program, which may have ended. */
    void send(int signal, Process program) throws IOException {
        new ProcessBuilder(launcher.toString(), "--signal", String.valueOf(signal), String.valueOf(program.pid()))
                .inheritIO()
                .start();
    }

    /** Deletes the launcher, if possible. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(launcher);
            folder.delete();
        } catch (IOException e) {
            // The command still ends with the exit code of the program.
        }
    }
}
