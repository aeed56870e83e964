package dev.neurontest.fake.profiler.view;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream that loses what comes behind a number of bytes. */
final class LimitedStream extends FilterOutputStream {

    private long left;

    LimitedStream(OutputStream out, long limit) {
        super(out);
        this.left = limit;
    }

    @Override
    public void write(int each) throws IOException {
        if (left > 0) {
            out.write(each);
            left--;
        }
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int kept = (int) Math.min(left, length);
        out.write(bytes, from, kept);
        left -= kept;
    }
}
