package dev.neurontest.internal.lifecycle;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The source file of a class and the first line of one of its methods, as a compiler wrote them for debuggers. */
final class MethodLines {

    private static final int UNKNOWN = Integer.MAX_VALUE;

    private final String name;
    private final String descriptor;
    private final DataInputStream input;
    private final @Nullable String[] texts;
    private @Nullable String file;
    private int first = UNKNOWN;

    private MethodLines(Method method, DataInputStream input) throws IOException {
        this.name = method.getName();
        this.descriptor = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString();
        this.input = input;
        input.skipNBytes(8); // magic number, version
        texts = texts(input);
        input.skipNBytes(6); // flags, class, superclass
        input.skipNBytes(2L * input.readUnsignedShort()); // interfaces
        members(); // fields
        members(); // methods
        attributes(false);
    }

    /**
     * Returns a frame with the first line of a method; empty if the class was compiled without lines or has no file, as one that
     * was generated while the JVM runs.
     */
    static Optional<StackTraceElement> frame(Method method) {
        Class<?> type = method.getDeclaringClass();
        String path = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream file = type.getResourceAsStream(path)) {
            if (file == null) {
                return Optional.empty();
            }
            MethodLines lines = new MethodLines(method, new DataInputStream(new BufferedInputStream(file)));
            return lines.first == UNKNOWN
                    ? Optional.empty()
                    : Optional.of(new StackTraceElement(type.getName(), lines.name, lines.file, lines.first));
        } catch (IOException | RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    /** Reads the texts of the constant pool. */
    private static @Nullable String[] texts(DataInputStream input) throws IOException {
        @Nullable String[] texts = new String[input.readUnsignedShort()];
        for (int index = 1; index < texts.length; index++) {
            int tag = input.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[index] = input.readUTF();
                case 7, 8, 16, 19, 20 -> input.skipNBytes(2);
                case 15 -> input.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> input.skipNBytes(4);
                case 5, 6 -> { // long and double take two entries
                    input.skipNBytes(8);
                    index++;
                }
                default -> throw new IOException("unknown constant " + tag);
            }
        }
        return texts;
    }

    private @Nullable String text() throws IOException {
        return texts[input.readUnsignedShort()];
    }

    private void members() throws IOException {
        for (int members = input.readUnsignedShort(); members > 0; members--) {
            input.skipNBytes(2); // flags
            boolean same = name.equals(text());
            attributes(descriptor.equals(text()) && same);
        }
    }

    /** Reads the attributes of the class, a member or its code. */
    private void attributes(boolean ofMethod) throws IOException {
        for (int attributes = input.readUnsignedShort(); attributes > 0; attributes--) {
            String attribute = text();
            int length = input.readInt();
            if ("SourceFile".equals(attribute)) {
                file = text();
            } else if (ofMethod && "Code".equals(attribute)) {
                input.skipNBytes(4); // sizes of stack and locals
                input.skipNBytes(input.readInt());
                input.skipNBytes(8L * input.readUnsignedShort()); // handlers of exceptions
                attributes(true);
            } else if (ofMethod && "LineNumberTable".equals(attribute)) {
                for (int lines = input.readUnsignedShort(); lines > 0; lines--) {
                    input.skipNBytes(2); // position in the code
                    first = Math.min(first, input.readUnsignedShort());
                }
            } else {
                input.skipNBytes(length);
            }
        }
    }
}
