package dev.neurontest.internal.participant.comparison;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.baseline.ComparisonText;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.profile.explain.Explanation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A comparison with a baseline, as it is attached to a test.
 *
 * @param explanation the instructions that took longer, if known
 */
record JudgedComparison(Comparison comparison, Optional<Explanation> explanation) implements Measurement {

    @Override
    public String kind() {
        return "comparison";
    }

    @Override
    public String toText() {
        return new ComparisonText(comparison).text();
    }

    @Override
    public String toJson() {
        return RecordWriter.text(comparison);
    }

    /** Returns the explanation as a page with a drawing of the layers, as text, and as JSON for programs. */
    @Override
    public List<Attachment> attachments() {
        return explanation
                .map(why -> List.of(
                        attachment("-explained.html", "text/html", why.toHtml("Baseline and now: " + comparison.key())),
                        attachment("-explained.txt", "text/plain", why.toText()),
                        attachment("-explained.json", "application/json", why.toJson())))
                .orElse(List.of());
    }

    private static Attachment attachment(String suffix, String mediaType, String content) {
        return new Attachment(suffix, mediaType, content.getBytes(StandardCharsets.UTF_8));
    }
}
