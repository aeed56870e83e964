package dev.neurontest.internal.tensor;

import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apiguardian.api.API;

/** The SHA-256 of the bytes of tensors, as {@code sha256sum} prints it for a file with the same bytes. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TensorHash {

    private final MessageDigest digest;

    /** Creates a hash of nothing. */
    public TensorHash() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException(absent);
        }
    }

    /** Returns the hash of some bytes. */
    public static String of(TensorBytes bytes) {
        return new TensorHash().add(bytes).text();
    }

    /** Adds bytes. */
    public TensorHash add(TensorBytes bytes) {
        try (DigestOutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            bytes.copyTo(out);
            return this;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Adds a name. */
    public TensorHash add(String name) {
        digest.update((name + "\0").getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Ends the hash and returns it as hexadecimal text. */
    public String text() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
