package dev.neurontest.export;

import java.math.BigInteger;
import java.time.Instant;

/** Nanoseconds since 1970, as OTLP and InfluxDB count. */
final class Nanos {

    private Nanos() {}

    static String of(Instant time) {
        return BigInteger.valueOf(time.getEpochSecond())
                .multiply(BigInteger.valueOf(1_000_000_000))
                .add(BigInteger.valueOf(time.getNano()))
                .toString();
    }
}
