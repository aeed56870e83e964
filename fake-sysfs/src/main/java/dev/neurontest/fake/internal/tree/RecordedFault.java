package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeErrnoException;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stands before a file whose recorded state the driver cannot have: it could not be read, or held what no driver prints. */
final class RecordedFault implements FileFault {

    private final Supplier<byte[]> content;
    private volatile @Nullable Errno errno;
    private volatile @Nullable Text text;

    /** @param driversOwn what the driver showed when the text was put before it */
    private record Text(byte[] shown, byte[] driversOwn) {}

    /** @param content what the driver shows */
    RecordedFault(Supplier<byte[]> content) {
        this.content = content;
    }

    void fail(Errno with) {
        text = null;
        errno = with;
    }

    /** Shows a text until the file is written, or until what the driver shows has moved. */
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
