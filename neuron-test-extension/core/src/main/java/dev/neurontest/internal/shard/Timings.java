package dev.neurontest.internal.shard;

import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.file.UnfitFileException;
import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.RecordReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The durations of the classes of a suite in an earlier run, without their waits for cores.
 *
 * @param nanos the durations by the name of the class
 * @param hash the hash of the file, 16 characters; empty without a file
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Timings(Map<String, Long> nanos, String hash) {

    /** The timings without a file. */
    public static final Timings NONE = new Timings(Map.of(), "");

    /** Creates the timings with a copy of the durations. */
    public Timings {
        nanos = Map.copyOf(nanos);
    }

    /**
     * Reads the timings of a report.
     *
     * @param report {@code neuron-report.json} of at most 4 GiB
     * @throws IllegalArgumentException if the file is missing, unreadable, no report or without tests; the message contains the
     *     reason and the path
     */
    static Timings read(Path report) {
        Path file = report.toAbsolutePath().normalize();
        MessageDigest digest = Digest.sha256();
        Map<String, Long> nanos = new TreeMap<>();
        try (DigestInputStream bytes = new DigestInputStream(InputFile.REPORT.open(file), digest);
                BufferedReader text = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
                JsonParser json = Json.parser(text)) {
            boolean isReport = false;
            if (json.nextToken() == JsonToken.START_OBJECT) {
                for (String name = json.nextName(); name != null; name = json.nextName()) {
                    JsonToken value = json.nextToken();
                    if (name.equals("kind")) {
                        isReport = value == JsonToken.VALUE_STRING
                                && json.getString().equals("neuron-report");
                    } else if (name.equals("tests") && value == JsonToken.START_ARRAY) {
                        while (json.nextToken() == JsonToken.START_OBJECT) {
                            Test test = RecordReader.LENIENT.read(json, Test.class);
                            TestClassName.in(test.id).ifPresent(owner -> nanos.merge(owner, test.nanos(), Long::sum));
                        }
                    } else {
                        json.skipChildren();
                    }
                }
            }
            bytes.transferTo(OutputStream.nullOutputStream());
            if (!isReport) {
                throw new IllegalArgumentException(
                        "%s is not a neuron-report.json, which neuron-test report --json writes".formatted(file));
            }
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file %s".formatted(file), e);
        } catch (UnfitFileException e) {
            throw new IllegalArgumentException(
                    "%s %s, which neuron-test report --json writes".formatted(file, e.getReason()), e);
        } catch (IOException | JacksonException e) {
            throw new IllegalArgumentException(
                    "%s cannot be read: %s"
                            .formatted(
                                    file,
                                    String.valueOf(e.getMessage())
                                            .lines()
                                            .findFirst()
                                            .orElse("")),
                    e);
        }
        if (nanos.isEmpty()) {
            throw new IllegalArgumentException("%s contains no test of a class".formatted(file));
        }
        return new Timings(nanos, Digest.text(digest));
    }

    /** A test of a report. A class that leases cores for its tests counts as zero, because its tests already contain the time. */
    private record Test(String id, boolean container, long tookNanos, long waitedNanos) {

        long nanos() {
            return container ? 0 : Math.max(0, tookNanos - waitedNanos);
        }
    }
}
