package dev.neurontest.fake.internal.profiler;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;

/** Genuine output and the values derived from it in the facts. */
public final class SampleFixture {

    private SampleFixture() {}

    public static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(SampleFixture.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public static byte[] hex(String name) throws IOException {
        return HexFormat.of().parseHex(text(name).replaceAll("\\s", ""));
    }
}
