package dev.neurontest.tensor;

import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.file.UnfitFileException;
import dev.neurontest.internal.tensor.Layout;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Reader and writer of NumPy's file format for one array.
 *
 * <p>NumPy has no {@code bfloat16} and no narrower floats. They are written as unsigned integers with the same bits.
 * {@code numpy.load("x.npy").view(ml_dtypes.bfloat16)} converts them back; the reader here has a parameter for the data type. It also
 * applies to files that NumPy itself saved from such arrays: their data type is {@code V2} or {@code V1}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Npy {

    private Npy() {}

    /**
     * Reads a file.
     *
     * @param file file of version 1 to 3, in any byte order and index order; up to 2 GiB
     * @return its array; it cannot be decoded if NumPy has no name for its data type
     * @throws NpyException when it cannot be read, or does not contain an array of numbers
     */
    public static TensorView read(Path file) {
        return read(file, "");
    }

    /**
     * Reads a file with a data type that has no name in NumPy.
     *
     * @param file file of version 1 to 3, in any byte order and index order; up to 2 GiB
     * @param dtype the actual type of void or unsigned elements of its width, such as {@code bfloat16}; ignored for other elements
     * @return its array
     * @throws NpyException when it cannot be read, or does not contain an array of numbers
     */
    public static TensorView read(Path file, String dtype) {
        try {
            return read(file.toString(), ByteBuffer.wrap(InputFile.ARRAY.read(file)), dtype);
        } catch (NoSuchFileException e) {
            String where = file.isAbsolute() ? "" : " in " + Path.of("").toAbsolutePath();
            throw new NpyException(file.toString(), "does not exist" + where, e);
        } catch (UnfitFileException e) {
            throw new NpyException(file.toString(), String.valueOf(e.getReason()), e);
        } catch (IOException e) {
            throw new NpyException(file.toString(), "cannot be read: " + e, e);
        } catch (OutOfMemoryError e) {
            throw new NpyException(file.toString(), "is too large for the memory of this JVM", e);
        }
    }

    /**
     * Reads a file from memory.
     *
     * @param source name of the source in messages
     * @param content content from position to limit; must not change afterwards
     * @param dtype the actual type of void or unsigned elements of its width; may be empty
     * @return its array
     * @throws NpyException when it does not contain an array of numbers
     */
    public static TensorView read(String source, ByteBuffer content, String dtype) {
        ByteBuffer file = content.slice();
        NpyHeader header = NpyHeader.read(source, file);
        String name = name(source, header, dtype);
        long count = Layout.count(header.shape());
        long available = file.remaining() - header.length();
        if (header.width() == 0
                || count < 0
                || count > Integer.MAX_VALUE / header.width()
                || count * header.width() > available) {
            throw new NpyException(
                    source,
                    "is truncated: %s values of %s bytes in the shape %s, but %s bytes are present"
                            .formatted(
                                    count < 0 ? "too many" : count,
                                    header.width(),
                                    Layout.text(header.shape()),
                                    available));
        }
        ByteBuffer values = file.slice(header.length(), (int) count * header.width());
        return TensorView.of(
                name, header.shape(), TensorBytes.of(inRows(header, littleEndian(header, values), (int) count)));
    }

    private static String name(String source, NpyHeader header, String dtype) {
        String numpys = "%s%s".formatted(header.kind(), header.width());
        Optional<DType> given = DType.of(dtype).filter(it -> width(it) == header.width());
        return switch (header.kind()) {
            case 'V' -> given.map(DType::toString).orElse(numpys);
            case 'u' ->
                given.filter(it -> descr(it).charAt(1) == 'u')
                        .map(DType::toString)
                        .orElse("uint" + Byte.SIZE * header.width());
            case 'i' -> "int" + Byte.SIZE * header.width();
            case 'f' -> "float" + Byte.SIZE * header.width();
            case 'b' -> "bool";
            default -> throw new NpyException(source, "contains '%s', which cannot become a tensor".formatted(numpys));
        };
    }

    private static int width(DType dtype) {
        return descr(dtype).charAt(2) - '0';
    }

    private static ByteBuffer littleEndian(NpyHeader header, ByteBuffer values) {
        boolean big = header.order() == '>' || header.order() == '=' && ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
        int width = header.width();
        if (!big || width == 1) {
            return values;
        }
        ByteBuffer swapped = ByteBuffer.allocate(values.remaining());
        for (int i = 0; i < values.remaining(); i++) {
            swapped.put(i / width * width + width - 1 - i % width, values.get(i));
        }
        return swapped;
    }

    private static ByteBuffer inRows(NpyHeader header, ByteBuffer values, int count) {
        if (!header.fortran() || header.shape().size() < 2) {
            return values;
        }
        int width = header.width();
        List<Long> shape = new ArrayList<>(header.shape());
        Collections.reverse(shape);
        ByteBuffer rows = ByteBuffer.allocate(values.remaining());
        for (int column = 0; column < count; column++) {
            int remainder = column;
            int flat = 0;
            int step = count;
            for (int i = shape.size() - 1; i >= 0; i--) {
                int dimension = (int) (long) shape.get(i);
                step /= dimension;
                flat += remainder % dimension * step;
                remainder /= dimension;
            }
            rows.put(flat * width, values, column * width, width);
        }
        return rows;
    }

    /**
     * Writes a tensor with unchanged bits.
     *
     * @param tensor a tensor of any data type; types that NumPy lacks are written as unsigned integers
     * @param out the stream, which is not closed
     * @throws IOException when it cannot be written
     */
    public static void write(TensorView tensor, OutputStream out) throws IOException {
        out.write(NpyHeader.write(descr(tensor), rawShape(tensor)));
        tensor.bytes().copyTo(out);
    }

    /**
     * Returns the name of the data type of a tensor in {@link #write}.
     *
     * @param tensor a tensor of any data type
     * @return such as {@code <f4}, or {@code <u2} for {@code bfloat16}
     */
    public static String descr(TensorView tensor) {
        return tensor.dtype()
                .filter(dtype -> tensor.bytes().size() == width(dtype) * tensor.size())
                .map(Npy::descr)
                .orElseGet(() -> bits(tensor));
    }

    private static String descr(DType dtype) {
        return switch (dtype) {
            case BOOL -> "|b1";
            case INT8 -> "|i1";
            case INT16 -> "<i2";
            case INT32 -> "<i4";
            case INT64 -> "<i8";
            case UINT8 -> "|u1";
            case UINT16, BFLOAT16 -> "<u2";
            case UINT32 -> "<u4";
            case UINT64 -> "<u8";
            case FLOAT16 -> "<f2";
            case FLOAT32, FLOAT32R, TFLOAT32 -> "<f4";
            case FLOAT64 -> "<f8";
            default -> "|u1";
        };
    }

    /** Returns the type of a packed or undecodable tensor: unsigned integers of the size of the printed units, or single bytes. */
    private static String bits(TensorView tensor) {
        long count = Layout.count(tensor.printedShape());
        long width =
                count > 0 && tensor.bytes().size() % count == 0 ? tensor.bytes().size() / count : 1;
        return width == 2 || width == 4 || width == 8 ? "<u" + width : "|u1";
    }

    private static List<Long> rawShape(TensorView tensor) {
        long width = descr(tensor).charAt(2) - '0';
        for (List<Long> shape : List.of(tensor.shape(), tensor.printedShape())) {
            if (Layout.count(shape) * width == tensor.bytes().size()) {
                return shape;
            }
        }
        return List.of(tensor.bytes().size());
    }
}
