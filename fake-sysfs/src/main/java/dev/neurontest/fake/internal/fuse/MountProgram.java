package dev.neurontest.fake.internal.fuse;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Mounting by {@code fusermount3}, which lets every user mount on their own directories. */
final class MountProgram implements Mounting {

    private static final List<String> NAMES = List.of("fusermount3", "fusermount");
    private static final List<String> USUAL = List.of("/usr/bin", "/bin", "/usr/local/bin");
    private static final long PATIENCE_SECONDS = 10;
    private static final int MOST_WORDS = 8192;
    // Size in bytes, larger than the definitions of glibc and musl.
    private static final int FILE_ACTIONS = 256;

    private final Path program;

    private MountProgram(Path program) {
        this.program = program;
    }

    static MountProgram find() throws FuseUnavailableException {
        return find(System.getenv().getOrDefault("PATH", ""));
    }

    static MountProgram find(String path) throws FuseUnavailableException {
        return find(path, USUAL);
    }

    static MountProgram find(String path, List<String> usual) throws FuseUnavailableException {
        Set<String> directories = new LinkedHashSet<>(List.of(path.split(File.pathSeparator)));
        directories.addAll(usual);
        for (String name : NAMES) {
            for (String directory : directories) {
                Path candidate = Path.of(directory, name);
                if (candidate.isAbsolute() && Files.isExecutable(candidate)) {
                    return new MountProgram(candidate);
                }
            }
        }
        throw new FuseUnavailableException(
                "fusermount3 is not installed (package fuse3); users other than root need it");
    }

    @Override
    public int mount(Path point, MountOwner owner) throws FuseUnavailableException {
        int[] sockets = new int[2];
        int[] errors = new int[2];
        // Inherited on purpose. Processes started by Java close inherited descriptors.
        if (LinuxCalls.socketpair(LinuxCalls.AF_UNIX, LinuxCalls.SOCK_STREAM, 0, sockets) != 0) {
            throw new FuseUnavailableException("cannot create a pair of sockets: error " + LinuxCalls.errno());
        }
        if (LinuxCalls.pipe2(errors, LinuxCalls.O_CLOEXEC) != 0) {
            LinuxCalls.close(sockets[0]);
            LinuxCalls.close(sockets[1]);
            throw new FuseUnavailableException("cannot create a pipe: error " + LinuxCalls.errno());
        }
        try {
            int pid;
            try {
                pid = spawn(arguments(point, owner), sockets, errors[1]);
            } finally {
                LinuxCalls.close(sockets[1]);
                LinuxCalls.close(errors[1]);
            }
            int fd = receive(sockets[0]);
            String words = words(errors[0]);
            int[] status = new int[1];
            LinuxCalls.waitpid(pid, status, 0);
            if (fd < 0) {
                throw new FuseUnavailableException(
                        program + " did not mount " + point + ": " + (words.isEmpty() ? "no reason given" : words));
            }
            return fd;
        } finally {
            LinuxCalls.close(sockets[0]);
            LinuxCalls.close(errors[0]);
        }
    }

    private List<String> arguments(Path point, MountOwner owner) {
        return List.of(
                program.toString(),
                "-o",
                "nosuid,nodev,noexec,default_permissions,fsname=" + owner.source() + ",subtype=" + MountOwner.subtype(),
                "--",
                point.toString());
    }

    private int spawn(List<String> arguments, int[] sockets, int errors) throws FuseUnavailableException {
        Map<String, String> variables = new TreeMap<>(System.getenv());
        variables.put("_FUSE_COMMFD", Integer.toString(sockets[1]));
        List<String> environment = new ArrayList<>();
        variables.forEach((name, value) -> environment.add(name + '=' + value));
        StringArray argumentArray = new StringArray(arguments.toArray(String[]::new));
        StringArray environmentArray = new StringArray(environment.toArray(String[]::new));
        try (Memory actions = new Memory(FILE_ACTIONS);
                Memory pid = new Memory(Integer.BYTES)) {
            long list = Pointer.nativeValue(actions);
            LinuxCalls.posix_spawn_file_actions_init(list);
            try {
                LinuxCalls.posix_spawn_file_actions_adddup2(list, errors, 2);
                LinuxCalls.posix_spawn_file_actions_addclose(list, sockets[0]);
                int failure = LinuxCalls.posix_spawn(
                        Pointer.nativeValue(pid),
                        program.toString(),
                        list,
                        0,
                        Pointer.nativeValue(argumentArray),
                        Pointer.nativeValue(environmentArray));
                if (failure != 0) {
                    throw new FuseUnavailableException(program + " cannot be started: error " + failure);
                }
                return pid.getInt(0);
            } finally {
                LinuxCalls.posix_spawn_file_actions_destroy(list);
            }
        }
    }

    /** Receives a descriptor that is sent with a byte. Returns -1 if the other side closes without sending one. */
    private static int receive(int socket) {
        try (Memory memory = new Memory(256)) {
            memory.clear();
            long start = Pointer.nativeValue(memory);
            // Layout: struct msghdr at 0, struct iovec at 64, a byte at 96, control messages at 128.
            memory.setLong(16, start + 64);
            memory.setLong(24, 1);
            memory.setLong(32, start + 128);
            memory.setLong(40, 24);
            memory.setLong(64, start + 96);
            memory.setLong(72, 1);
            if (LinuxCalls.recvmsg(socket, start, LinuxCalls.MSG_CMSG_CLOEXEC) <= 0) {
                return -1;
            }
            boolean descriptor = memory.getLong(40) >= 20
                    && memory.getInt(128 + 8) == LinuxCalls.SOL_SOCKET
                    && memory.getInt(128 + 12) == LinuxCalls.SCM_RIGHTS;
            return descriptor ? memory.getInt(128 + 16) : -1;
        }
    }

    private static String words(int pipe) {
        try (Memory memory = new Memory(MOST_WORDS)) {
            StringBuilder words = new StringBuilder();
            long length;
            while ((length = LinuxCalls.read(pipe, Pointer.nativeValue(memory), MOST_WORDS)) > 0) {
                words.append(new String(memory.getByteArray(0, (int) length), StandardCharsets.UTF_8));
            }
            return words.toString().strip().replaceAll("\\s*\n\\s*", "; ");
        }
    }

    @Override
    public void unmount(Path point) throws IOException {
        Process unmounting = new ProcessBuilder(program.toString(), "-u", "-z", "--", point.toString())
                .redirectErrorStream(true)
                .start();
        unmounting.getOutputStream().close();
        String words = new String(unmounting.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (!unmounting.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || unmounting.exitValue() != 0) {
                throw new IOException(program + " did not unmount " + point + ": " + words);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + program + " unmounted " + point, e);
        }
    }
}
