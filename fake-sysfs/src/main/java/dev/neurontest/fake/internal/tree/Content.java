package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.driver.Counter;
import dev.neurontest.fake.internal.driver.Field;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a file shows, and where writes to it go. */
sealed interface Content permits Content.Number, Content.Text, Content.Recorded {

    byte[] bytes();

    /** Fills as much of the buffer as there is, and says how much. */
    default int bytes(byte[] buffer) {
        byte[] all = bytes();
        int length = Math.min(all.length, buffer.length);
        System.arraycopy(all, 0, buffer, 0, length);
        return length;
    }

    void store(byte[] written);

    /** A field of a counter: {@code %llu\n}. */
    record Number(Counter counter, Field field) implements Content {

        @Override
        public byte[] bytes() {
            long value = counter.read(field);
            byte[] text = new byte[Decimal.digits(value) + 1];
            print(value, text);
            return text;
        }

        @Override
        public int bytes(byte[] buffer) {
            long value = counter.read(field);
            int length = Decimal.digits(value) + 1;
            if (length <= buffer.length) {
                print(value, buffer);
                return length;
            }
            byte[] text = new byte[length];
            print(value, text);
            System.arraycopy(text, 0, buffer, 0, buffer.length);
            return buffer.length;
        }

        private static void print(long value, byte[] into) {
            int digits = Decimal.digits(value);
            Decimal.print(value, into, digits);
            into[digits] = '\n';
        }

        @Override
        public void store(byte[] written) {
            counter.clear(field);
        }
    }

    /** What a recording says that it is. */
    final class Recorded implements Content {

        private final Consumer<byte[]> write;
        private volatile byte[] bytes;

        Recorded(byte[] bytes, Consumer<byte[]> write) {
            this.bytes = bytes;
            this.write = write;
        }

        void become(byte[] newBytes) {
            bytes = newBytes;
        }

        @Override
        public byte[] bytes() {
            return bytes.clone();
        }

        @Override
        public void store(byte[] written) {
            write.accept(written);
        }
    }

    /**
     * Anything else.
     *
     * @param replay sets what the text shows to what a recording says it was, as far as it can be that; null when the driver does
     *     not keep it
     */
    record Text(
            Supplier<String> text,
            Consumer<byte[]> write,
            @Nullable Consumer<String> replay) implements Content {

        Text(Supplier<String> text, Consumer<byte[]> write) {
            this(text, write, null);
        }

        @Override
        public byte[] bytes() {
            return text.get().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void store(byte[] written) {
            write.accept(written);
        }
    }
}
