package dev.neurontest.tensor;

import dev.neurontest.internal.tensor.Layout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header of a {@code .npy} file as specified by NumPy's {@code lib.format}: a dictionary in Python syntax.
 *
 * @param order byte order: {@code <}, {@code >}, {@code =} or {@code |}
 * @param kind such as {@code f}, {@code i}, {@code u}, {@code b} or {@code V}
 * @param width size of an element in bytes
 * @param fortran true if the first index varies fastest
 * @param shape empty for a scalar
 * @param length number of bytes before the values
 */
record NpyHeader(char order, char kind, int width, boolean fortran, List<Long> shape, int length) {

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int ALIGNMENT = 64;
    private static final int FIXED = MAGIC.length + 4;
    private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([<>=|]?)([a-zA-Z])(\\d{1,4})'");
    private static final Pattern ANY = Pattern.compile("'descr'\\s*:\\s*(.*?)\\s*,\\s*'(?:fortran_order|shape)'");
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9L,\\s]*)\\)");

    static NpyHeader read(String source, ByteBuffer file) {
        ByteBuffer bytes = file.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() < FIXED || !bytes.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            throw new NpyException(source, "is not a .npy file: it does not begin with \\x93NUMPY");
        }
        int version = bytes.get(MAGIC.length);
        if (version < 1 || version > 3) {
            throw new NpyException(
                    source, "is a .npy file of version %s; the supported versions are 1 to 3".formatted(version));
        }
        int start = version == 1 ? FIXED : FIXED + 2;
        if (bytes.remaining() < start) {
            throw new NpyException(source, "ends inside its header");
        }
        long length = version == 1
                ? Short.toUnsignedInt(bytes.getShort(FIXED - 2))
                : Integer.toUnsignedLong(bytes.getInt(FIXED - 2));
        if (length > bytes.remaining() - start) {
            throw new NpyException(source, "ends inside its header");
        }
        byte[] text = new byte[(int) length];
        bytes.position(start).get(text);
        return parse(source, new String(text, StandardCharsets.UTF_8), start + text.length);
    }

    private static NpyHeader parse(String source, String text, int length) {
        Matcher fortran = FORTRAN.matcher(text);
        Matcher shape = SHAPE.matcher(text);
        if (!fortran.find() || !shape.find()) {
            throw new NpyException(source, "has an unreadable header: " + text.strip());
        }
        Matcher descr = DESCR.matcher(text);
        if (!descr.find()) {
            Matcher any = ANY.matcher(text);
            throw new NpyException(
                    source,
                    "contains %s, which cannot become a tensor".formatted(any.find() ? any.group(1) : text.strip()));
        }
        char order = descr.group(1).isEmpty() ? '=' : descr.group(1).charAt(0);
        return new NpyHeader(
                order,
                descr.group(2).charAt(0),
                Integer.parseInt(descr.group(3)),
                fortran.group(1).equals("True"),
                shape(source, shape.group(1)),
                length);
    }

    private static List<Long> shape(String source, String tuple) {
        List<Long> shape = new ArrayList<>();
        for (String dimension : tuple.replace("L", "").split(",")) {
            if (!dimension.isBlank()) {
                try {
                    shape.add(Long.valueOf(dimension.strip()));
                } catch (NumberFormatException e) {
                    throw new NpyException(source, "has an unreadable shape: (%s)".formatted(tuple), e);
                }
            }
        }
        return List.copyOf(shape);
    }

    /** Creates a header of version 1.0. It is padded to align the values. */
    static byte[] write(String descr, List<Long> shape) {
        String dictionary =
                "{'descr': '%s', 'fortran_order': False, 'shape': %s, }".formatted(descr, Layout.text(shape));
        int length = (FIXED + dictionary.length() + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
        return ByteBuffer.allocate(length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(MAGIC)
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) (length - FIXED))
                .put((dictionary + " ".repeat(length - FIXED - dictionary.length() - 1) + "\n")
                        .getBytes(StandardCharsets.US_ASCII))
                .array();
    }
}
