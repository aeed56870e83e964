package dev.neurontest.tensor;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.InflaterInputStream;

/** Files that NumPy 2.4 wrote with {@code numpy.lib.format.write_array}, compressed and in Base64. */
final class NumPyFixture {

    /** {@code arange(6).reshape(2, 3)} as {@code <f4}. */
    static final ByteBuffer FLOATS = file(
            "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2airqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RpGOgrGmjoKtQpkAy4GMGiwBxIOQATEDUC8wAEAA60eiw==");

    /** The same as {@code >f8} in version 2. */
    static final ByteBuffer BIG_ENDIAN = file(
            "eNqb7BfqGxDJxFDCwMBQrZ6SWpxcpG6loG6XZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6CsaaOgq1CmQCLgYosP8AoR2gfAcOKC0ApUUgNACE5B2M");

    /** The same as {@code <i2}, its first index fastest. */
    static final ByteBuffer FORTRAN = file(
            "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2mkrqOgnpZfVFKUmBefX5SSChIPKSpNBQoXZyQWpAK5GkY6CsaaOgq1CuQDLgYGZgZGBhYGJgZWBgCToxtR");

    /** {@code arange(24).reshape(2, 3, 4)} as {@code <f2}, its first index fastest, in version 3. */
    static final ByteBuffer FORTRAN_3D = file(
            "eNqb7BfqGxDJzFDCwMBQrZ6SWpxcpG6loG6TZqSuo6Cell9UUpSYF59flJIKEg8pKk0FChdnJBakArkaRjoKxjoKJpo6CrUKZAEuoLVeDC4MPgweDL4MNg1eDK4OPg0eDr4MDgzeDG4NPgyeDb4MTg3eDO4HfBo8D/gCABUEJqM=");

    /** {@code [True, False, True]}. */
    static final ByteBuffer TRUTH = file(
            "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBek2SorqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RrGOpo6CrUKFAAuRgZGAL1yG5U=");

    /** {@code [2**64 - 1]} as {@code <u8}. */
    static final ByteBuffer LARGEST = file(
            "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuU2qhrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOpo6CrUKFACu/1AAAFlvI2M=");

    /** 2.5 without dimensions as {@code <f4}. */
    static final ByteBuffer SCALAR = file(
            "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2airqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqaOgq1ChQBLgYGBQcAuRcbmw==");

    /** {@code 0x3f80, 0x4049} as {@code |V2}, as NumPy saves {@code bfloat16}. */
    static final ByteBuffer VOID = file(
            "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBeE2akrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RpGOpo6CrUKFACuBntPBwDXjhzP");

    /** {@code ["a"]}. */
    static final ByteBuffer TEXT = file(
            "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuE2qorqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOpo6CrUKFACuRAYGBgC4oRul");

    /** A record of an integer and a float. */
    static final ByteBuffer RECORD = file(
            "eNqb7BfqGxDJyFDGUK2eklqcXKRupRCtoV6hrqOgbpNpoq6po6ChXgnmpQF5sUBGWn5RSVFiXnx+UUoqSLlbYk5xKlC8OCOxIBXI1zDUAeqqVSAGcDEygIEDAE3eHas=");

    /** {@code [1j]}. */
    static final ByteBuffer COMPLEX = file(
            "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2xopq6joJ6WX1RSlJgXn1+UkgqScEvMKU4FihdnJBakAvkahjqaOgq1CuQDLgYU8MEeAAntHJc=");

    private NumPyFixture() {}

    private static ByteBuffer file(String text) {
        try (InflaterInputStream in = new InflaterInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            return ByteBuffer.wrap(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
