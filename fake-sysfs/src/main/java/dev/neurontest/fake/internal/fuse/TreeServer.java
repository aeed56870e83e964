package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeAccess;
import dev.neurontest.fake.FakeErrnoException;
import dev.neurontest.fake.FakeTree;
import dev.neurontest.fake.internal.files.FakeEntry;
import dev.neurontest.fake.internal.fuse.protocol.DirectoryMessages;
import dev.neurontest.fake.internal.fuse.protocol.FileMessages;
import dev.neurontest.fake.internal.fuse.protocol.NodeMessages;
import dev.neurontest.fake.internal.fuse.protocol.Opcode;
import dev.neurontest.fake.internal.fuse.protocol.Reply;
import dev.neurontest.fake.internal.fuse.protocol.RequestHeader;
import dev.neurontest.fake.internal.fuse.protocol.SessionMessages;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** The server that answers the kernel's requests with the content of a tree. It is thread-safe. */
final class TreeServer {

    private final FakeTree tree;
    private final Nodes nodes;
    private final Owner owner;
    private final LongConsumer wake;
    private final long started = System.currentTimeMillis() / 1000;
    private final AtomicLong lastHandle = new AtomicLong();
    private final Map<Long, OpenFuseFile> files = new ConcurrentHashMap<>();
    private final Map<Long, OpenDirectory> directories = new ConcurrentHashMap<>();

    /** The owner of the files. */
    record Owner(int user, int group) {}

    /** @param wake receives the kernel's handle of an open file to wake its pollers */
    TreeServer(FakeTree tree, Nodes nodes, Owner owner, LongConsumer wake) {
        this.tree = tree;
        this.nodes = nodes;
        this.owner = owner;
        this.wake = wake;
    }

    /** Closes all open files and directories. */
    void close() {
        files.values().forEach(OpenFuseFile::close);
        files.clear();
        directories.clear();
    }

    /** @param in the request after its header */
    void answer(RequestHeader header, ByteBuffer in, Reply reply) {
        Opcode opcode = Opcode.of(header.opcode());
        if (opcode == null) {
            refuse(reply, Errno.ENOSYS);
            return;
        }
        try {
            answer(opcode, header.node(), in, reply);
        } catch (IOException e) {
            refuse(reply, errno(e));
        } catch (RuntimeException | Error e) {
            // The tree of a test may throw anything; the reading program must not hang because of it.
            refuse(reply, Errno.EIO);
        }
    }

    private void answer(Opcode opcode, long number, ByteBuffer in, Reply reply) throws IOException {
        switch (opcode) {
            case INIT -> init(SessionMessages.Init.take(in), reply);
            case LOOKUP -> lookup(node(number), NodeMessages.takeName(in), reply.body());
            case GETATTR -> attributes(node(number)).answer(reply.body());
            case SETATTR -> setAttributes(node(number), NodeMessages.SetAttributes.take(in), reply);
            case READLINK -> reply.body().put(link(node(number)));
            case OPEN -> open(node(number), FileMessages.Open.take(in), reply.body());
            case READ -> read(FileMessages.Read.take(in), reply.body());
            case WRITE -> write(FileMessages.Write.take(in), reply.body());
            case POLL -> poll(FileMessages.Poll.take(in), reply.body());
            case RELEASE -> release(FileMessages.takeReleased(in));
            case OPENDIR -> openDirectory(node(number), reply.body());
            case READDIR -> list(FileMessages.Read.take(in), false, reply.body());
            case READDIRPLUS -> list(FileMessages.Read.take(in), true, reply.body());
            case RELEASEDIR -> directories.remove(FileMessages.takeReleased(in));
            case STATFS -> SessionMessages.putStatistics(reply.body());
            case FORGET -> {
                NodeMessages.takeForget(number, in, nodes::forget);
                reply.none();
            }
            case BATCH_FORGET -> {
                NodeMessages.takeForgets(in, nodes::forget);
                reply.none();
            }
            case FLUSH, DESTROY -> {}
            // As in sysfs: files cannot be created or renamed.
            case CREATE -> refuse(reply, Errno.EACCES);
            case SYMLINK, MKNOD, MKDIR, UNLINK, RMDIR, RENAME, RENAME2, LINK -> refuse(reply, Errno.EPERM);
            case IOCTL -> refuse(reply, Errno.ENOTTY);
            case TMPFILE -> refuse(reply, Errno.EOPNOTSUPP);
            case INTERRUPT -> throw new IllegalArgumentException("the thread that reads the device answers this");
        }
    }

    private static void init(SessionMessages.Init init, Reply reply) {
        if (init.major() < SessionMessages.MAJOR || init.major() == SessionMessages.MAJOR && !init.spoken()) {
            refuse(reply, Errno.EPROTO);
        } else {
            init.answer(reply.body());
        }
    }

    // ---- paths

    private void lookup(Nodes.Node parent, String name, ByteBuffer out) throws IOException {
        FakeEntry entry = tree.stat(parent.path(name));
        attributes(nodes.lookedUp(parent, name), entry).answerEntry(out);
    }

    private NodeMessages.Attributes attributes(Nodes.Node node) throws IOException {
        return attributes(node, tree.stat(node.path()));
    }

    private NodeMessages.Attributes attributes(Nodes.Node node, FakeEntry entry) {
        node.known(entry.generation());
        return new NodeMessages.Attributes(
                node.number(),
                inode(node.path(), entry),
                type(entry),
                entry.mode(),
                entry.size(),
                started,
                owner.user(),
                owner.group());
    }

    /**
     * Returns the inode number. It stays the same if the kernel forgets a path and looks it up again, but changes with the
     * directory of a device.
     */
    private static long inode(String path, FakeEntry entry) {
        // A list must not contain 0.
        return Math.max(1, (long) entry.generation() << Integer.SIZE | Integer.toUnsignedLong(path.hashCode()));
    }

    private static NodeMessages.Type type(FakeEntry entry) {
        return switch (entry.type()) {
            case FILE -> NodeMessages.Type.FILE;
            case DIRECTORY -> NodeMessages.Type.DIRECTORY;
            case LINK -> NodeMessages.Type.LINK;
        };
    }

    /**
     * Accepts a new length or time without effect, and rejects other changes. Therefore a shell's {@code >} and {@code touch} work
     * as in sysfs.
     */
    private void setAttributes(Nodes.Node node, NodeMessages.SetAttributes change, Reply reply) throws IOException {
        if (change.mode() || change.owner()) {
            refuse(reply, Errno.EPERM);
        } else {
            attributes(node).answer(reply.body());
        }
    }

    private byte[] link(Nodes.Node node) throws IOException {
        String target = tree.stat(node.path()).linkTarget();
        if (target == null) {
            throw FakeErrnoException.of(Errno.EINVAL, "");
        }
        return target.getBytes(StandardCharsets.UTF_8);
    }

    // ---- open files

    private void open(Nodes.Node node, FileMessages.Open how, ByteBuffer out) throws IOException {
        FakeAccess access = !how.writes() ? FakeAccess.READ : how.reads() ? FakeAccess.READ_WRITE : FakeAccess.WRITE;
        OpenFuseFile file = new OpenFuseFile(node.file(tree).open(access), wake);
        long handle = lastHandle.incrementAndGet();
        files.put(handle, file);
        FileMessages.putOpened(out, handle);
    }

    private void read(FileMessages.Read request, ByteBuffer out) throws IOException {
        byte[] content = file(request.handle()).read(request.offset());
        out.put(content, 0, Math.min(content.length, request.size()));
    }

    private void write(FileMessages.Write written, ByteBuffer out) throws IOException {
        FileMessages.putWritten(out, file(written.handle()).write(written.content()));
    }

    private void poll(FileMessages.Poll request, ByteBuffer out) throws IOException {
        FileMessages.Poll.answer(out, file(request.handle()).poll(request.kernelHandle(), request.wakeLater()));
    }

    private void release(long handle) {
        OpenFuseFile file = files.remove(handle);
        if (file != null) {
            file.close();
        }
    }

    private OpenFuseFile file(long handle) throws IOException {
        OpenFuseFile file = files.get(handle);
        if (file == null) {
            throw FakeErrnoException.of(Errno.EBADF, "");
        }
        return file;
    }

    // ---- open directories

    private void openDirectory(Nodes.Node node, ByteBuffer out) throws IOException {
        OpenDirectory directory = new OpenDirectory(tree, node);
        long handle = lastHandle.incrementAndGet();
        directories.put(handle, directory);
        DirectoryMessages.putOpened(out, handle);
    }

    private void list(FileMessages.Read request, boolean withAttributes, ByteBuffer out) throws IOException {
        OpenDirectory directory = directories.get(request.handle());
        if (directory == null) {
            throw FakeErrnoException.of(Errno.EBADF, "");
        }
        int end = Math.min(out.position() + request.size(), out.capacity());
        long next = request.offset();
        for (String name : directory.names(request.offset())) {
            next++;
            byte[] bytes = DirectoryMessages.bytes(name);
            int size = DirectoryMessages.size(bytes) + (withAttributes ? NodeMessages.ENTRY_SIZE : 0);
            if (out.position() + size > end) {
                return;
            }
            put(directory.node(), name, bytes, next, withAttributes, out);
        }
    }

    private void put(Nodes.Node directory, String name, byte[] bytes, long next, boolean withAttributes, ByteBuffer out)
            throws IOException {
        boolean dots = name.equals(".") || name.equals("..");
        String path = !dots ? directory.path(name) : name.equals(".") ? directory.path() : parentOf(directory);
        FakeEntry entry;
        try {
            entry = tree.stat(path);
        } catch (NoSuchFileException e) {
            // The entry was removed after the names were read.
            return;
        }
        if (withAttributes && dots) {
            DirectoryMessages.putUnknown(out);
        } else if (withAttributes) {
            attributes(nodes.lookedUp(directory, name), entry).answerEntry(out);
        }
        DirectoryMessages.putEntry(out, inode(path, entry), next, type(entry), bytes);
    }

    private String parentOf(Nodes.Node directory) {
        Nodes.Node parent = nodes.node(directory.parent());
        return parent == null ? directory.path() : parent.path();
    }

    // ---- errors

    private Nodes.Node node(long number) throws IOException {
        Nodes.Node node = nodes.node(number);
        if (node == null) {
            throw FakeErrnoException.of(Errno.ENOENT, "");
        }
        return node;
    }

    private static void refuse(Reply reply, Errno errno) {
        reply.fail(errno.number());
    }

    /** Returns the error number of an exception of the tree. */
    static Errno errno(IOException failure) {
        if (failure instanceof FakeErrnoException known) {
            return known.errno();
        }
        if (failure instanceof NoSuchFileException) {
            return Errno.ENOENT;
        }
        if (failure instanceof AccessDeniedException) {
            return Errno.EACCES;
        }
        return failure instanceof InterruptedIOException ? Errno.EINTR : Errno.EIO;
    }
}
