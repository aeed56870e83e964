package dev.neurontest.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullMarked;

/** Random mutations of genuine files. The same random numbers make the same file. */
@NullMarked
final class Mutations {

    private static final int LONGEST = 64 << 10;
    private static final int MOST_CHANGES = 6;

    private static final List<byte[]> WORDS = utf8(
            "\n",
            "\r\n",
            "\t",
            " ",
            "  ",
            "\0",
            "\"",
            "\\",
            "\\u0000",
            "\\ud800",
            "/",
            "..",
            ",",
            ":",
            "=",
            "&",
            "%",
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            "null",
            "true",
            "{}",
            "[]",
            "NaN",
            "\u00e9",
            "\ud83d\ude00",
            "\u2028",
            "\u202e",
            "\ufeff");

    private static final List<byte[]> NUMBERS = utf8(
            "0",
            "-0",
            "00",
            "1",
            "-1",
            "+1",
            "1.5",
            "0.1",
            ".5",
            "5.",
            "127",
            "128",
            "255",
            "256",
            "65535",
            "65536",
            "2147483647",
            "2147483648",
            "-2147483648",
            "4294967295",
            "4294967296",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "18446744073709551615",
            "18446744073709551616",
            "1e9",
            "1e308",
            "1e400",
            "-1e400",
            "1e-400",
            "1e9999999990",
            "0x7fffffff",
            "99999999999999999999999999999999999");

    private static final long[] LENGTHS = {
        0,
        1,
        -1,
        2,
        16,
        127,
        128,
        255,
        256,
        1023,
        1024,
        4096,
        65535,
        65536,
        1 << 24,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private static final List<String> NESTS = List.of("[", "{\"a\":", "(", "[{\"a\":", "{");

    private final List<byte[]> seeds;
    private final List<byte[]> words;

    Mutations(List<byte[]> seeds, List<byte[]> words) {
        this.seeds = seeds;
        this.words = words;
    }

    private static List<byte[]> utf8(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    byte[] next(Random random) {
        byte[] seed = any(seeds, random);
        byte[] bytes = seed;
        int changes = 1 + Math.min(random.nextInt(MOST_CHANGES), random.nextInt(MOST_CHANGES));
        for (int change = 0; change < changes || Arrays.equals(bytes, seed); change++) {
            bytes = changed(bytes, random);
        }
        return bytes.length <= LONGEST ? bytes : Arrays.copyOf(bytes, LONGEST);
    }

    private byte[] changed(byte[] bytes, Random random) {
        int from = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + length(random));
        return switch (random.nextInt(16)) {
            case 0 -> flipped(bytes, from, 1 << random.nextInt(8));
            case 1 -> flipped(bytes, from, random.nextInt(256));
            case 2 -> Arrays.copyOf(bytes, from);
            case 3 -> with(bytes, 0, to, new byte[0]);
            case 4, 5 -> with(bytes, from, to, new byte[0]);
            case 6 -> repeated(bytes, from, to, random.nextInt(8) == 0 ? random.nextInt(2_000) : 1);
            case 7 -> spliced(bytes, from, random);
            case 8 -> with(bytes, from, from, any(words.isEmpty() ? WORDS : words, random));
            case 9 -> with(bytes, from, to, any(WORDS, random));
            case 10, 11 -> otherNumber(bytes, from, any(NUMBERS, random));
            case 12, 13 -> otherLength(bytes, from, random);
            case 14 -> otherLines(bytes, from, random);
            default -> deeper(bytes, from, random);
        };
    }

    private static byte[] any(List<byte[]> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static int length(Random random) {
        return 1 + random.nextInt(random.nextInt(4) == 0 ? 512 : 8);
    }

    private static byte[] with(byte[] bytes, int from, int to, byte[] part) {
        byte[] whole = Arrays.copyOf(bytes, bytes.length - (to - from) + part.length);
        System.arraycopy(part, 0, whole, from, part.length);
        System.arraycopy(bytes, to, whole, from + part.length, bytes.length - to);
        return whole;
    }

    private static byte[] flipped(byte[] bytes, int at, int bits) {
        byte[] other = bytes.clone();
        if (at < other.length) {
            other[at] ^= (byte) bits;
        }
        return other;
    }

    private static byte[] repeated(byte[] bytes, int from, int to, int times) {
        int fitting = Math.min(times, Math.max(0, LONGEST - bytes.length) / Math.max(1, to - from));
        byte[] part = Arrays.copyOfRange(bytes, from, to);
        byte[] parts = new byte[part.length * fitting];
        for (int at = 0; at < parts.length; at++) {
            parts[at] = part[at % part.length];
        }
        return with(bytes, to, to, parts);
    }

    /** Joins the beginning of one file and the end of another. */
    private byte[] spliced(byte[] bytes, int at, Random random) {
        byte[] other = any(seeds, random);
        return with(bytes, at, bytes.length, Arrays.copyOfRange(other, random.nextInt(other.length + 1), other.length));
    }

    /** Replaces the next digits. */
    private static byte[] otherNumber(byte[] bytes, int at, byte[] number) {
        int from = at;
        while (from < bytes.length && !Character.isDigit(bytes[from])) {
            from++;
        }
        int to = from;
        while (to < bytes.length && Character.isDigit(bytes[to])) {
            to++;
        }
        return with(bytes, from, to, number);
    }

    /**
     * Writes a number of two, four or eight bytes, little-endian or big-endian, which may be near the length of the
     * file.
     */
    private static byte[] otherLength(byte[] bytes, int at, Random random) {
        int width = 2 << random.nextInt(3);
        if (bytes.length < width) {
            return bytes;
        }
        long length = random.nextBoolean()
                ? LENGTHS[random.nextInt(LENGTHS.length)]
                : bytes.length - 8 + (long) random.nextInt(16);
        ByteBuffer field = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(0, random.nextInt(4) == 0 ? Long.reverseBytes(length) >>> Long.SIZE - width * 8 : length);
        byte[] other = bytes.clone();
        field.get(other, Math.min(at, bytes.length - width) / 2 * 2, width);
        return other;
    }

    /** Removes, repeats or moves a line. */
    private static byte[] otherLines(byte[] bytes, int at, Random random) {
        List<String> lines =
                new ArrayList<>(List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("(?<=\n)", -1)));
        String line = lines.get(random.nextInt(lines.size()));
        if (random.nextBoolean()) {
            lines.remove(line);
        }
        if (random.nextBoolean()) {
            lines.add(random.nextInt(lines.size() + 1), line);
        }
        return String.join("", lines).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] deeper(byte[] bytes, int at, Random random) {
        String nest = NESTS.get(random.nextInt(NESTS.size()));
        int deep = 1 << random.nextInt(random.nextInt(8) == 0 ? 14 : 8);
        return with(bytes, at, at, nest.repeat(deep).getBytes(StandardCharsets.UTF_8));
    }
}
