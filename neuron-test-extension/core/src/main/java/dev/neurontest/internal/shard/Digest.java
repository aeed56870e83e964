package dev.neurontest.internal.shard;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests, which every JVM supports. */
final class Digest {

    /** Number of bytes in texts, enough to avoid accidental collisions. */
    private static final int SHOWN = 8;

    private Digest() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Formats the first bytes of a digest for people. */
    static String text(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest(), 0, SHOWN);
    }
}
