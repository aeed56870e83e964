package dev.neurontest.internal.evidence;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.process.Redaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The attachments of tests. If the policy requires them, it attaches {@code neuron-<kind>.txt} and {@code .json} for each
 * measurement, with the additional files of the measurement. Names of further measurements of a kind contain a number and the measured object. It attaches {@code neuron-judgement.txt} if the judgement is not
 * empty. Values that resemble secrets are masked. If a report rejects an attachment, the run file contains a notice and the test
 * does not fail.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Evidence {

    /** Keeps names of files below the limit of file systems. */
    private static final int LONGEST_SUBJECT = 60;

    private final Predicate<Boolean> policy;
    private final RunFile runFile;
    private final List<? extends AttachmentSink> otherSinks;
    private volatile @Nullable Consumer<Path> listener;

    /**
     * Creates the evidence for all tests of a run.
     *
     * @param policy decides about attachments; its argument is true for a test that passed
     * @param runFile the receiver of events about attachments
     * @param otherSinks the sinks that get the same files as JUnit
     */
    public Evidence(Predicate<Boolean> policy, RunFile runFile, List<? extends AttachmentSink> otherSinks) {
        this.policy = policy;
        this.runFile = runFile;
        this.otherSinks = List.copyOf(otherSinks);
    }

    /**
     * Registers the listener for files that a report has written.
     *
     * @param fileListener the listener, called on the test's thread
     */
    public void onFileWritten(Consumer<Path> fileListener) {
        listener = fileListener;
    }

    /**
     * Checks whether the policy requires attachments.
     *
     * @param passed whether the body passed
     * @param judgement the result of the expectations; a test with violations or undecided expectations did not pass
     */
    public boolean isWanted(boolean passed, Judgement judgement) {
        return policy.test(passed
                && judgement.violations().isEmpty()
                && judgement.undecided().isEmpty());
    }

    /**
     * Attaches the files that the policy requires. Must be called on the test's thread.
     *
     * @param passed whether the body passed
     * @param judgement the result of the expectations; a test with violations or undecided expectations did not pass
     * @param junit publishes files of the test
     */
    public void attach(
            TestId test,
            boolean passed,
            List<? extends Measurement> measurements,
            Judgement judgement,
            AttachmentSink junit) {
        if (!isWanted(passed, judgement)) {
            return;
        }
        List<AttachmentSink> sinks = Stream.<AttachmentSink>concat(Stream.of(junit), otherSinks.stream())
                .toList();
        Map<String, Integer> counts = new HashMap<>();
        for (Measurement measurement : measurements) {
            int number = counts.merge(measurement.kind(), 1, Integer::sum);
            String name = "neuron-" + measurement.kind() + (number == 1 ? "" : "-" + number + subject(measurement));
            attach(test, sinks, name + ".txt", "text/plain", measurement.toText());
            attach(test, sinks, name + ".json", "application/json", maskedJson(measurement.toJson()));
            for (Attachment attachment : measurement.attachments()) {
                attach(
                        test,
                        sinks,
                        name + attachment.suffix(),
                        attachment.mediaType(),
                        attachment.isText()
                                ? masked(new String(attachment.content(), StandardCharsets.UTF_8))
                                : attachment.content());
            }
        }
        if (!judgement.isNothing()) {
            attach(test, sinks, "neuron-judgement.txt", "text/plain", text(judgement));
        }
    }

    /** Returns a part of a file name for the measured object of a further measurement. */
    private static String subject(Measurement measurement) {
        String name = Redaction.mask(measurement.subject()).replaceAll("[^A-Za-z0-9._]+", "-");
        String bounded =
                name.substring(0, Math.min(name.length(), LONGEST_SUBJECT)).replaceAll("^[-.]+|[-.]+$", "");
        return bounded.isEmpty() ? "" : "-" + bounded;
    }

    private void attach(TestId test, List<AttachmentSink> sinks, String name, String mediaType, String text) {
        attach(test, sinks, name, mediaType, masked(text));
    }

    /**
     * Masks secrets in JSON. If masking the whole text breaks the JSON, because a text resembles the beginning of a longer
     * secret, each text is masked separately.
     */
    private static byte[] maskedJson(String json) {
        byte[] masked = masked(json);
        byte[] unmasked = json.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(masked, unmasked) || isObject(masked) || !isObject(unmasked)
                ? masked
                : new JsonObject(json).withTexts(LineWriter::masked).text().getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isObject(byte[] json) {
        try {
            return !new JsonObject(new String(json, StandardCharsets.UTF_8))
                    .text()
                    .isEmpty();
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    private static byte[] masked(String text) {
        return Redaction.mask(text).getBytes(StandardCharsets.UTF_8);
    }

    private void attach(TestId test, List<AttachmentSink> sinks, String name, String mediaType, byte[] content) {
        boolean attached = false;
        Optional<Path> file = Optional.empty();
        for (AttachmentSink sink : sinks) {
            try {
                Optional<Path> written = sink.attach(name, mediaType, content);
                attached = true;
                Consumer<Path> notified = listener;
                if (notified != null) {
                    written.ifPresent(notified);
                }
                file = file.or(() -> written);
            } catch (IOException | RuntimeException e) {
                runFile.append(new RunEvent.Noticed(test, "%s could not be attached: %s".formatted(name, e)));
            }
        }
        if (attached) {
            runFile.append(new RunEvent.Attached(
                    test,
                    name,
                    mediaType,
                    content.length,
                    file.map(runFile::relative).orElse(null)));
        }
    }

    private static String text(Judgement judgement) {
        StringBuilder text = new StringBuilder();
        judgement
                .violations()
                .forEach(each -> text.append("violated: %s\n  %s\n  expected %s\n  but was %s\n  %s\n"
                        .formatted(each.rule(), each.subject(), each.expected(), each.actual(), each.advice())));
        judgement
                .undecided()
                .forEach(each -> text.append(
                        "undecided: %s\n  %s\n  %s\n".formatted(each.rule(), each.subject(), each.reason())));
        judgement
                .notApplicable()
                .forEach(each -> text.append(
                        "not applicable: %s\n  %s\n  %s\n".formatted(each.rule(), each.subject(), each.reason())));
        judgement.notices().forEach(each -> text.append("notice: ").append(each).append('\n'));
        return text.toString();
    }
}
