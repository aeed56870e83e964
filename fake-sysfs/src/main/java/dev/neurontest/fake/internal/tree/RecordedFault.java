package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeErrnoException;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A fault for a recorded state that the driver cannot have: the file was not readable, or had a content that no driver prints. */
final class RecordedFault implements FileFault {

    private final Supplier<byte[]> content;
    private volatile @Nullable Errno errno;
    private volatile @Nullable Text text;

    /** @param driversOwn the content of the driver when the text was set */
    private record Text(byte[] shown, byte[] driversOwn) {}

    /** @param content supplies the content of the driver */
    RecordedFault(Supplier<byte[]> content) {
        this.content = content;
    }

    void fail(Errno with) {
        text = null;
        errno = with;
    }

    /** Shows a text until the file is written or the content of the driver changes. */
    void show(byte[] instead) {
        text = new Text(instead, content.get());
        errno = null;
    }

    void end() {
        text = null;
        errno = null;
    }

    @Override
    public byte @Nullable [] onRead(String path) throws IOException {
        refuse(path);
        return shown();
    }

    @Override
    public void onWrite(String path) throws IOException {
        refuse(path);
        text = null;
    }

    private void refuse(String path) throws IOException {
        Errno with = errno;
        if (with != null) {
            throw FakeErrnoException.of(with, path);
        }
    }

    @Override
    public byte @Nullable [] shown() {
        Text now = text;
        if (now == null) {
            return errno != null ? new byte[0] : null;
        }
        return Arrays.equals(content.get(), now.driversOwn()) ? now.shown().clone() : null;
    }
}
