package dev.neurontest.fake.internal.neff;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reader and writer of archives of plain files in the old format that every tar supports. */
final class Tar {

    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE = 12;
    private static final int LARGEST = 16 << 20;

    /** Size in bytes of the searched part of an archive. A compressed archive may have an unlimited size. */
    private static final long SEARCHED = 1L << 30;

    private Tar() {}

    static void write(OutputStream out, String name, byte[] content) throws IOException {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 108, "0000000");
        put(header, 116, "0000000");
        put(header, SIZE_AT, String.format(Locale.ROOT, "%011o", content.length));
        put(header, 136, "00000000000");
        put(header, 148, "        ");
        header[156] = '0';
        put(header, 257, "ustar\0" + "00");
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        put(header, 148, String.format(Locale.ROOT, "%06o\0 ", sum));
        out.write(header);
        out.write(content);
        out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    static void end(OutputStream out) throws IOException {
        out.write(new byte[2 * BLOCK]);
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, Math.min(bytes.length, at == 0 ? NAME : bytes.length));
    }

    /** Returns the content of a file in an archive; null when it is not in the part that is searched. */
    static byte @Nullable [] find(InputStream in, String requestedName) throws IOException {
        byte[] header = new byte[BLOCK];
        long searched = 0;
        while (searched < SEARCHED && in.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
            long size = size(header);
            if (text(header, 0, NAME).equals(requestedName) && size <= LARGEST) {
                byte[] content = in.readNBytes((int) size);
                if (content.length < size) {
                    throw new EOFException("unexpected EOF");
                }
                return content;
            }
            long blocks = (size + BLOCK - 1) / BLOCK * BLOCK;
            searched += BLOCK + blocks;
            if (searched < SEARCHED) {
                in.skipNBytes(blocks);
            }
        }
        return null;
    }

    private static long size(byte[] header) throws IOException {
        String digits = text(header, SIZE_AT, SIZE).strip();
        if (!digits.matches("[0-7]{1,12}")) {
            throw new IOException("archive/tar: invalid tar header");
        }
        return Long.parseLong(digits, 8);
    }

    private static String text(byte[] header, int at, int length) {
        byte[] field = Arrays.copyOfRange(header, at, at + length);
        int end = 0;
        while (end < field.length && field[end] != 0) {
            end++;
        }
        return new String(field, 0, end, StandardCharsets.UTF_8);
    }
}
