package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.driver.Counter;
import dev.neurontest.fake.internal.driver.Field;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The content of a file, and the target of writes to it. */
sealed interface Content permits Content.Number, Content.Text, Content.Fixed, Content.Recorded {

    byte[] bytes();

    /** Copies the content into the buffer, as far as it fits, and returns the number of bytes copied. */
    default int bytes(byte[] buffer) {
        byte[] all = bytes();
        int length = Math.min(all.length, buffer.length);
        System.arraycopy(all, 0, buffer, 0, length);
        return length;
    }

    void store(byte[] written);

    /** Content that prints a field of a counter: {@code %llu\n}. */
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

    /** Content taken from a recording. */
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

    /** Content that never changes. A write to it has no effect. */
    record Fixed(String text) implements Content {

        @Override
        public byte[] bytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void store(byte[] written) {
            // The file ignores writes.
        }
    }

    /**
     * Content of any other kind.
     *
     * @param replay sets the driver to a recorded text as far as possible; null if the driver does not store the value
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
