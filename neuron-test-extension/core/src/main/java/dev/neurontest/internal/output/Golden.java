package dev.neurontest.internal.output;

import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.tensor.TensorHash;
import dev.neurontest.internal.tensor.ValueSummary;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.NpyException;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The expected values of an output, read from a file before the test begins.
 *
 * @param file a {@code .npy} file
 * @param content its bytes
 * @param modified the time of its last change
 * @param hash the SHA-256 of the file
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Golden(Path file, ByteBuffer content, FileTime modified, String hash) {

    /**
     * Reads a file.
     *
     * @param dtype data type of its values if NumPy has no name for it; may be empty
     * @param allowed contents that are right for the output
     * @throws IllegalArgumentException when there is no such file, or its values cannot prove anything
     */
    static Golden read(Path file, String dtype, Set<OutputOddity> allowed) {
        try {
            ByteBuffer content = ByteBuffer.wrap(InputFile.ARRAY.read(file)).asReadOnlyBuffer();
            Golden golden =
                    new Golden(file, content, Files.getLastModifiedTime(file), TensorHash.of(TensorBytes.of(content)));
            golden.tensor(dtype, allowed);
            return golden;
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException(
                    "golden %s does not exist%s. Create it from a reference, such as a computation on the CPU, before the test begins."
                            .formatted(
                                    file,
                                    file.isAbsolute()
                                            ? ""
                                            : " in " + Path.of("").toAbsolutePath()),
                    missing);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "golden %s cannot be read: %s".formatted(file, unreadable.getMessage()), unreadable);
        }
    }

    /**
     * Returns the values.
     *
     * @param dtype data type of values for which NumPy has no name; may be empty
     * @throws IllegalArgumentException when the file has no array, or its values would match wrong outputs
     */
    TensorView tensor(String dtype, Set<OutputOddity> allowed) {
        TensorView tensor;
        try {
            tensor = Npy.read(file.toString(), content.duplicate(), dtype);
        } catch (NpyException invalid) {
            throw new IllegalArgumentException("golden " + invalid.getMessage(), invalid);
        }
        ValueSummary values = ValueSummary.of(tensor);
        if (tensor.size() == 0) {
            throw new IllegalArgumentException("golden %s is no reference: it has no values".formatted(file));
        }
        for (OutputOddity oddity : List.of(OutputOddity.ZEROS, OutputOddity.CONSTANT, OutputOddity.NAN)) {
            oddity.in(tensor, values).filter(odd -> !allowed.contains(oddity)).ifPresent(odd -> {
                throw new IllegalArgumentException(
                        "golden %s is no reference: %s. If that is right for the output, allow %s."
                                .formatted(file, odd, oddity));
            });
        }
        return tensor;
    }

    /** Returns how the file changed after it was read; empty if it did not. */
    Optional<String> change() {
        try {
            return Files.getLastModifiedTime(file).equals(modified)
                    ? Optional.empty()
                    : Optional.of("one that was written while the test ran");
        } catch (IOException gone) {
            return Optional.of("one that can no longer be read (%s)".formatted(gone));
        }
    }
}
