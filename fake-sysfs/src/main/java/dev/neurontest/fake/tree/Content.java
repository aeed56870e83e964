package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.Counter;
import dev.neurontest.fake.driver.Field;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a file shows, and where writes to it go. */
sealed interface Content permits Content.Number, Content.Text, Content.Recorded {

    byte[] bytes();

    /** Fills as much of the buffer as there is, and says how much. */
    int bytes(byte[] buffer);

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

    /** What a recording says that it was. */
    record Recorded(AtomicReference<byte[]> text, Consumer<byte[]> write) implements Content {

        @Override
        public byte[] bytes() {
            return text.get().clone();
        }

        @Override
        public int bytes(byte[] buffer) {
            byte[] all = text.get();
            int length = Math.min(all.length, buffer.length);
            System.arraycopy(all, 0, buffer, 0, length);
            return length;
        }

        @Override
        public void store(byte[] written) {
            write.accept(written);
        }
    }

    /** Anything else. */
    record Text(Supplier<String> text, Consumer<byte[]> write) implements Content {

        @Override
        public byte[] bytes() {
            return text.get().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int bytes(byte[] buffer) {
            byte[] all = bytes();
            int length = Math.min(all.length, buffer.length);
            System.arraycopy(all, 0, buffer, 0, length);
            return length;
        }

        @Override
        public void store(byte[] written) {
            write.accept(written);
        }

        /** The same with something that each write ends with. */
        Text andThen(Runnable afterWrite) {
            return new Text(text, write.andThen(written -> afterWrite.run()));
        }
    }
}
