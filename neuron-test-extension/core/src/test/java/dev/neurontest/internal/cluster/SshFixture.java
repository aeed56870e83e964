package dev.neurontest.internal.cluster;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Several hosts that are this machine: an sshd on loopback for each name, with its own host key and environment. A program
 * {@code ssh} in {@link #bin} reaches them by their names, with a configuration instead of that of the user.
 */
public final class SshFixture implements AutoCloseable {

    private static final List<String> DEBIAN = List.of("/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/ssh-keygen");

    private final Path folder;
    private final Map<String, Process> servers = new LinkedHashMap<>();

    private SshFixture(Path folder) {
        this.folder = folder;
    }

    /** Returns the reason for which no sshd can run here, or empty if it can. */
    public static Optional<String> missing() {
        return DEBIAN.stream()
                .filter(program -> !Files.isExecutable(Path.of(program)))
                .findFirst()
                .map(program ->
                        "no sshd, for there is no %s (Debian: openssh-server, openssh-client)".formatted(program));
    }

    /**
     * Starts the hosts.
     *
     * @param folder a new folder for keys and logs
     * @param hosts the names, with the variables that sshd sets on each
     */
    public static SshFixture start(Path folder, Map<String, Map<String, String>> hosts) throws Exception {
        SshFixture fixture = new SshFixture(folder);
        try {
            fixture.begin(hosts);
            return fixture;
        } catch (Throwable failed) {
            failed.addSuppressed(new AssertionError(fixture.logs()));
            fixture.close();
            throw failed;
        }
    }

    private void begin(Map<String, Map<String, String>> hosts) throws Exception {
        if (System.getProperty("user.name").equals("root")) {
            // Required by an sshd of root.
            Files.createDirectories(Path.of("/run/sshd"));
        }
        key("user");
        StringBuilder client = new StringBuilder();
        for (Map.Entry<String, Map<String, String>> host : hosts.entrySet()) {
            String name = host.getKey();
            int port = freePort();
            key(name);
            trust(name, name);
            StringBuilder variables = new StringBuilder();
            host.getValue().forEach((variable, value) -> variables.append(" \"%s=%s\"".formatted(variable, value)));
            Path configuration = Files.writeString(folder.resolve(name + ".sshd"), """
                    ListenAddress 127.0.0.1:%s
                    HostKey %2$s/%3$s.key
                    AuthorizedKeysFile %2$s/user.key.pub
                    PidFile none
                    StrictModes no
                    UsePAM no
                    PasswordAuthentication no
                    KbdInteractiveAuthentication no
                    %4$s
                    """.formatted(
                            port, folder, name, variables.isEmpty() ? "" : "SetEnv" + variables));
            servers.put(
                    name,
                    new ProcessBuilder(DEBIAN.get(0), "-D", "-e", "-f", configuration.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve(name + ".log").toFile())
                            .start());
            client.append("""
                    Host %1$s
                        HostName 127.0.0.1
                        Port %2$s
                        HostKeyAlias %1$s
                        UserKnownHostsFile %3$s/%1$s.known
                    """.formatted(name, port, folder));
            await().until(() -> accepts(port));
        }
        client.append("""
                Host *
                    IdentityFile %s/user.key
                    IdentitiesOnly yes
                    IdentityAgent none
                    GlobalKnownHostsFile none
                """.formatted(folder));
        Path configuration = Files.writeString(folder.resolve("ssh.config"), client);
        Path ssh = Files.createDirectories(bin()).resolve("ssh");
        Files.writeString(ssh, "#!/bin/sh\nexec %s -F %s \"$@\"\n".formatted(DEBIAN.get(1), configuration));
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void key(String name) throws Exception {
        Process keygen = new ProcessBuilder(
                        DEBIAN.get(2), "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", name + ".key")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(keygen.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keygen.waitFor()).as(output).isZero();
    }

    /** Makes the host key of a host known, or replaces it with that of another. */
    public void trust(String host, String keyOf) throws IOException {
        String key = Files.readString(folder.resolve(keyOf + ".key.pub"));
        Files.writeString(folder.resolve(host + ".known"), host + " " + key);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** Returns the folder of the program {@code ssh}, for the beginning of {@code PATH}. */
    public Path bin() {
        return folder.resolve("bin");
    }

    /** Returns the variables by which a started program finds {@code ssh}. */
    public Map<String, String> environment() {
        return Map.of("PATH", bin() + File.pathSeparator + System.getenv("PATH"));
    }

    /** Returns a command of {@code ssh} with the path of the program, for this JVM, which ignores a changed {@code PATH}. */
    public List<String> located(List<String> command) {
        assertThat(command).first().isEqualTo("ssh");
        List<String> words = new ArrayList<>(command);
        words.set(0, bin().resolve("ssh").toString());
        return words;
    }

    /** Returns the processes on a host that run a program with this name. */
    public List<ProcessHandle> running(String host, String program) {
        return servers.get(host)
                .descendants()
                .filter(each -> each.info().command().orElse("").endsWith("/" + program))
                .toList();
    }

    /** Ends a host with all its processes. Later connections are refused. */
    public void kill(String host) {
        end(servers.get(host));
    }

    private static void end(Process server) {
        await().until(() -> {
            List<ProcessHandle> processes = Stream.concat(Stream.of(server.toHandle()), server.descendants())
                    .toList();
            processes.forEach(ProcessHandle::destroyForcibly);
            return processes.stream().noneMatch(ProcessHandle::isAlive);
        });
    }

    /** Returns the logs of all hosts. */
    public String logs() {
        StringBuilder all = new StringBuilder();
        for (String host : servers.keySet()) {
            try {
                all.append("%n--- %s%n%s".formatted(host, Files.readString(folder.resolve(host + ".log"))));
            } catch (IOException unreadable) {
                all.append(unreadable);
            }
        }
        return all.toString();
    }

    @Override
    public void close() {
        servers.values().forEach(SshFixture::end);
    }
}
