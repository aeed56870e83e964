package dev.neurontest.fake.internal.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeErrnoException;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeTree;
import dev.neurontest.fake.internal.fuse.protocol.Reply;
import dev.neurontest.fake.internal.fuse.protocol.RequestHeader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of answers without a kernel. */
class TreeServerTest {

    private static int error(int opcode, long node) {
        ByteBuffer out = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN);
        Reply reply = new Reply(out);
        try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
            TreeServer server = new TreeServer(host.tree(), new Nodes("sys"), new TreeServer.Owner(0, 0), handle -> {});
            reply.begin();
            server.answer(
                    new RequestHeader(40, opcode, 1, node),
                    ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN),
                    reply);
            reply.end(1);
        }
        return -out.getInt(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 22, 46, 49, 52, 53, 63, 64, 5000, -1})
    void unknownOpcodeIsNotImplemented(int opcode) {
        assertThat(error(opcode, Nodes.ROOT)).isEqualTo(Errno.ENOSYS.number());
    }

    @ParameterizedTest
    @EnumSource(Errno.class)
    void treeErrorsKeepTheirErrno(Errno errno) {
        assertThat(TreeServer.errno(FakeErrnoException.of(errno, "a/file")).name())
                .isEqualTo(errno.name());
    }

    @Test
    void otherTreeFailuresMapToEintrOrEio() {
        assertThat(TreeServer.errno(new InterruptedIOException())).isEqualTo(Errno.EINTR);
        assertThat(TreeServer.errno(new IOException("anything"))).isEqualTo(Errno.EIO);
    }

    @Test
    void unknownNodesAndHandlesAreRefused() {
        assertThat(error(3, 99)).isEqualTo(Errno.ENOENT.number());
        assertThat(error(15, Nodes.ROOT)).isEqualTo(Errno.EBADF.number());
        assertThat(error(28, Nodes.ROOT)).isEqualTo(Errno.EBADF.number());
    }

    @Test
    void tooShortMessageIsAnsweredWithEio() {
        ByteBuffer out = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN);
        Reply reply = new Reply(out);
        try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
            TreeServer server = new TreeServer(host.tree(), new Nodes("sys"), new TreeServer.Owner(0, 0), handle -> {});
            reply.begin();
            server.answer(new RequestHeader(40, 15, 1, Nodes.ROOT), ByteBuffer.allocate(2), reply);
            reply.end(1);
        }
        assertThat(-out.getInt(4)).isEqualTo(Errno.EIO.number());
    }

    @Test
    void stackOverflowInATreeIsAnsweredWithEio() {
        // given
        FakeTree tree = (FakeTree) Proxy.newProxyInstance(
                FakeTree.class.getClassLoader(), new Class<?>[] {FakeTree.class}, (proxy, method, arguments) -> {
                    throw new StackOverflowError();
                });
        TreeServer server = new TreeServer(tree, new Nodes("sys"), new TreeServer.Owner(0, 0), handle -> {});
        ByteBuffer out = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN);
        Reply reply = new Reply(out);
        reply.begin();

        // when
        server.answer(
                new RequestHeader(40, 3, 1, Nodes.ROOT),
                ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN),
                reply);
        reply.end(1);

        // then
        assertThat(-out.getInt(4)).isEqualTo(Errno.EIO.number());
    }

    @Test
    void nodeNumbersAreKnownUntilForgotten() {
        Nodes nodes = new Nodes("sys");
        Nodes.Node root = nodes.node(Nodes.ROOT);
        assertThat(root).isNotNull();

        Nodes.Node child = nodes.lookedUp(root, "class");
        assertThat(nodes.lookedUp(root, "class")).isSameAs(child);
        assertThat(child.path()).isEqualTo("sys/class");
        assertThat(nodes.children("sys")).containsExactly(child);

        nodes.forget(child.number(), 1);
        assertThat(nodes.node(child.number())).isSameAs(child);
        nodes.forget(child.number(), 1);
        assertThat(nodes.node(child.number())).isNull();
        assertThat(nodes.size()).isEqualTo(1);
        assertThat(nodes.lookedUp(root, "class").number()).isNotEqualTo(child.number());
    }
}
