package dev.neurontest.internal.shard;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every JVM has. */
final class Digest {

    /** Enough that two of them are never the same by chance. */
    private static final int SHOWN = 8;

    private Digest() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first bytes as people compare them. */
    static String text(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest(), 0, SHOWN);
    }
}
