package dev.neurontest.profile;

import dev.neurontest.internal.profile.summary.SummaryReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Published output of tools; the README in the folder of the files documents the sources. */
public final class SampleFixture {

    private static final ObjectMapper JSON = new ObjectMapper();

    private SampleFixture() {}

    public static Path folder() {
        try {
            return Path.of(Objects.requireNonNull(SampleFixture.class.getResource("samples/README.md"))
                            .toURI())
                    .getParent();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String text(String file) {
        try {
            return Files.readString(folder().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode json(String file) {
        return JSON.readTree(text(file));
    }

    public static byte[] bytes(String hexFile) {
        return HexFormat.of().parseHex(text(hexFile).replaceAll("\\s", ""));
    }

    /** Returns the rows of a table without the header, each with its cells. */
    public static List<String[]> table(String file) {
        return text(file).lines().skip(1).map(line -> line.split(",", -1)).toList();
    }

    /** Reads summaries. Some samples lack the key of the graph, which the tool writes. */
    private static List<ProfileSummary> summaries(String text) {
        return SummaryReader.read(text.contains("\"n_") ? text : "{\"n_\": " + text + "}")
                .summaries();
    }

    public static ProfileSummary summary(String file) {
        return summaries(text(file)).get(0);
    }

    /** Returns one of two variants of a kernel, with four significant digits. */
    public static ProfileSummary variant(String name) {
        return summaries(
                        text("explorer_two-variants_trn2_attention-kernel.json").replace("\"variant_", "\"n_variant_"))
                .stream()
                .filter(summary -> summary.key().equals("n_" + name))
                .findFirst()
                .orElseThrow();
    }

    public static List<String> summaryFiles() {
        return Stream.concat(wholeSummaryFiles().stream(), partialSummaryFiles().stream())
                .toList();
    }

    /** Returns the files with the whole output of tools 2.25, in the shape of a summary-json. */
    public static List<String> wholeSummaryFiles() {
        return Stream.of("transpose_1024", "vecadd_fd1k", "vecadd_fd2k")
                .map("summary-json_derived_trn2_2.25_%s.json"::formatted)
                .toList();
    }

    static List<String> partialSummaryFiles() {
        return List.of(
                "summary-json_partial_inf2_2.28_matvec.json",
                "summary-json_partial_trn1_2.29_vector-kernel.json",
                "explorer_summary-partial_trn2_llm-context-graph.json",
                "explorer_summary-trimmed_trn2_2026-08.json");
    }

    /** Returns ten metrics of each of fifteen profiles. */
    public static List<ProfileSummary> kernels() {
        List<ProfileSummary> summaries = new ArrayList<>();
        json("explorer_summary-subset_trn2_hf-kernels.json")
                .forEach(profile ->
                        summaries.addAll(summaries(profile.get("metrics").toString())));
        return summaries;
    }

    public static List<ProfileSummary> allSummaries() {
        return Stream.of(
                        summaryFiles().stream().map(SampleFixture::summary),
                        Stream.of("variant_v1", "variant_v4").map(SampleFixture::variant),
                        kernels().stream())
                .flatMap(summaries -> summaries)
                .toList();
    }

    public static double value(ProfileSummary summary, String metric) {
        return summary.number(metric).orElseThrow(() -> new AssertionError(metric + " is absent"));
    }

    public static boolean has(ProfileSummary summary, String... metrics) {
        return Arrays.stream(metrics).allMatch(metric -> summary.number(metric).isPresent());
    }
}
