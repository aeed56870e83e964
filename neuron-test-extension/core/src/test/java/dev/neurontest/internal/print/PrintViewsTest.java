package dev.neurontest.internal.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LogicalCoreSize;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintFixture;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class PrintViewsTest {

    private static DevicePrints compared() {
        DevicePrints prints = new PrintFixture()
                .floats("acc", 1, 2, 3)
                .floats("scale", Float.NaN)
                .odd("type 7 is not known")
                .live();
        DevicePrint print = prints.get(0);
        prints.remember(
                print,
                TensorComparison.of(print.tensor(), TensorView.of(new float[] {1, 2.5f, 3}), Tolerance.absolute(1e-3)));
        return prints;
    }

    private static JsonNode json(DevicePrints prints) {
        return new ObjectMapper().readTree(prints.toJson());
    }

    private static String html(DevicePrints prints) {
        return page(PrintFixture.PASSED, prints);
    }

    private static String page(MeasuredTest test, DevicePrints prints) {
        return new String(PrintAttachments.of(prints).all(test).get(0).content(), StandardCharsets.UTF_8);
    }

    private static String body(String html) {
        return html.substring(html.indexOf("<main>") + 6).strip();
    }

    @Test
    void namesALogicalCoreOnce(@TempDir Path root) {
        // given
        NeuronHost host = NeuronHost.discover(
                new HostFixture(root).devices(HostFixture.Kind.TRN2, 0).tree(), LogicalCoreSize.TWO);
        DevicePrints prints = DevicePrints.of(new PrintFixture().floats("acc", 1), host.cores());

        // then
        String name = host.cores().get(0).name();
        assertThat(name).startsWith("core 0 (");
        assertThat(prints.toText()).contains("print 0 \"acc\" on " + name + ", float32");
        assertThat(html(prints).replace("<wbr/>", ""))
                .contains(name + " \u00b7")
                .doesNotContain("core core");
    }

    @Test
    void textShowsMismatchesAndAllPrints() {
        // then
        assertThat(compared().toText()).isEqualTo("""
                2 device prints with 2 prefixes: complete as far as is known

                Noticed:
                  "scale" has NaN in 1 of 1 prints, first in print 1 at [0] (1 of 1 values)
                  1 event is not a print and is kept unchanged; the first: type 7 is not known

                prefix   prints  cores  dtype    shape
                "acc"         1  0      float32  (3,)
                "scale"       1  0      float32  (1,)

                print 0 "acc", float32 (3,): 1 of 3 values is not what was expected within 0.001

                index  expected  actual  difference        ULP
                [1]         2.5     2.0      0.5000  2,097,152
                Expected: float32 (3,)

                print 0 "acc" on core 0, float32 (3,), 2026-11-21T12:00:00Z, by stream
                [1.0000 2.0000 3.0000]

                print 1 "scale" on core 0, float32 (1,), 2026-11-21T12:00:00.001Z, by stream
                [nan]

                Events that are not prints, kept unchanged:
                  event 2 on core 0, type 7, 2 bytes: type 7 is not known
                """);
        assertThat(new PrintFixture().live().toText()).isEqualTo("No device prints: complete as far as is known\n");
    }

    @Test
    void reportsHowManyPrintsAreOmitted() {
        // given
        PrintFixture feed = new PrintFixture();
        for (int i = 0; i < 1_000; i++) {
            feed.tile("acc", 8, 8, index -> index);
        }

        // when
        String text = feed.live().toText();
        JsonNode json = json(feed.live());
        List<Attachment> files = PrintAttachments.of(feed.live()).all(PrintFixture.PASSED);

        // then
        assertThat(text)
                .hasSizeLessThan(700_000)
                .containsPattern("\n[0-9]+ more not shown, since there are too many\\.");
        assertThat(text).contains("Attached as .npy: 256; 744 more not attached");
        assertThat(json.get("notAttached").asInt()).isEqualTo(744);
        assertThat(json.get("prints")).hasSize(1_000);
        assertThat(files).hasSize(1 + 256);
        assertThat(html(feed.live())).contains("872 more are not drawn");
    }

    @Test
    void jsonMemberNamesContainNoPrefix() {
        // when
        String masked = new JsonObject(compared().toJson())
                .withTexts((name, text) -> "***")
                .text();

        // then
        assertThat(masked).doesNotContain("acc").contains("{\"prefix\":\"***\",\"count\":1}");
    }

    @Test
    void jsonIndexesPrintsAndMismatches() {
        // when
        JsonNode json = json(compared());

        // then
        assertThat(json.get("version").asInt()).isEqualTo(1);
        assertThat(json.get("kind").asString()).isEqualTo("prints");
        assertThat(json.get("prefixes").get(0).toString()).isEqualTo("{\"prefix\":\"acc\",\"count\":1}");
        assertThat(json.get("prints").get(0).toString()).isEqualTo("""
                {"order":0,"prefix":"acc","arrived":"2026-11-21T12:00:00Z","origin":"stream","coreIndex":0,"coreId":0,"core":"0","pipe":0,\
                "dtype":"float32","shape":[3],"bytes":12,"values":{"least":1.0,"most":3.0,"nan":0,"infinite":0},"file":"-0000-acc.npy",\
                "numpy":"<f4"}""");
        assertThat(json.get("mismatches").get(0).get("first").get(0).toString()).isEqualTo("""
                {"index":[1],"expected":"2.5","actual":"2.0","difference":"0.5000","ulps":2097152}""");
        assertThat(json.get("odd").get(0).get("payload").asString()).isEqualTo("0102");
        assertThat(json.get("notListed").asInt()).isZero();
    }

    @Test
    void attachesEveryTensorInOrder() {
        // when
        List<Attachment> files = PrintAttachments.of(compared()).all(PrintFixture.PASSED);

        // then
        assertThat(files).extracting(Attachment::suffix).containsExactly(".html", "-0000-acc.npy", "-0001-scale.npy");
        assertThat(Npy.read("acc", ByteBuffer.wrap(files.get(1).content()), "").toDoubles())
                .containsExactly(1, 2, 3);
        assertThat(PrintAttachments.of(new PrintFixture().live()).all(PrintFixture.PASSED))
                .isEmpty();
    }

    @Test
    void attachesFaultyPrintsFirst() {
        // given
        PrintFixture feed = new PrintFixture();
        for (int i = 0; i < 10; i++) {
            feed.floats("acc", i == 7 ? Float.NaN : i);
        }
        DevicePrints prints = feed.live();
        DevicePrint print = prints.get(9);
        prints.remember(print, TensorComparison.of(print.tensor(), TensorView.of(new float[] {0}), Tolerance.exact()));

        // then
        assertThat(PrintAttachments.of(prints, 3, 1000).chosen())
                .extracting(DevicePrint::order)
                .containsExactly(0L, 7L, 9L);
        assertThat(PrintAttachments.of(prints, 100, 8).chosen())
                .extracting(DevicePrint::order)
                .containsExactly(7L, 9L);
        assertThat(PrintAttachments.of(prints, 100, 8).notAttached()).isEqualTo(8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "acc; -0000-acc.npy",
                "tile.0_a-b; -0000-tile.0_a-b.npy",
                "a/b; -0000-a_b-c14cddc0.npy",
                "a\\b; -0000-a_b-c62016d0.npy",
                "../../etc/passwd; -0000-__.._etc_passwd-3754d6cb.npy",
                "..; -0000-_-5ec1f7e7.npy",
                "''; -0000-e3b0c442.npy",
                "COM1 \u00e4; -0000-COM1__-f8612324.npy"
            })
    void makesFileNamesSafe(String prefix, String name) {
        // when
        String file =
                PrintNames.file(new PrintFixture().floats(prefix, 1).live().get(0));

        // then
        assertThat(file).isEqualTo(name);
    }

    @Test
    void boundsTheLengthOfNames() {
        // given
        DevicePrint print = new PrintFixture().floats("x".repeat(512), 1).live().get(0);

        // then
        assertThat(PrintNames.file(print)).hasSizeLessThan(90);
        assertThat(print.label()).hasSizeLessThan(140).endsWith("...\"");
    }

    @Test
    void pageIsSelfContained() {
        // when
        String html = html(compared());

        // then
        assertThat(html)
                .contains("2 device prints with 2 prefixes")
                .contains("default-src 'none'")
                .contains("1 of 3 values is not what was expected within 0.001")
                .contains("<title>difference</title>")
                .contains("class=\"nan\"")
                .doesNotContain("<script")
                .doesNotContain("http://")
                .doesNotContain("https://");
    }

    @Test
    void escapesTextWrittenByKernel() throws Exception {
        // given
        DevicePrints prints = new PrintFixture()
                .print(
                        0,
                        "</title>--><img src=x onerror=alert(2)><script>alert(1)</script>\"'\u0007\u202e",
                        "<b>",
                        List.of(1L),
                        (byte) 1)
                .odd("<i>")
                .live();

        // then apart from its first lines the page is XML too, which reveals a missing end or quote
        String html = html(prints);
        assertThat(html)
                .doesNotContain("<script>", "<img", "--><", "<b>\"", "<i>", "\u0007", "\u202e")
                .contains("&lt;script&gt;");
        String body = html.substring(html.indexOf("<body>"), html.indexOf("</html>"));
        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)))
                        .getDocumentElement()
                        .getTextContent())
                .contains("<script>alert(1)</script>");
        assertThat(prints.toText()).doesNotContain("\u0007", "\u202e");
    }

    @Test
    void drawsTheWorstDifferenceOfEachCell() {
        // given
        PrintFixture feed = new PrintFixture().tile("acc", 256, 256, index -> index == 70 * 256 + 9 ? 8 : 1);
        DevicePrints prints = feed.live();
        DevicePrint print = prints.get(0);
        float[] ones = new float[256 * 256];
        Arrays.fill(ones, 1);
        prints.remember(print, TensorComparison.of(print.tensor(), TensorView.of(ones, 256, 256), Tolerance.exact()));

        // then
        assertThat(html(prints))
                .contains("the greatest of each cell, strongest at 7.000")
                .contains("<path class=\"above\" fill-opacity=\"1.00\" d=\"M1 11h1v1h-1z\"/>");
    }

    /** Returns tiles filled with their number, except that tile 17 counts, and tile 40 has a NaN. */
    private static DevicePrints tiles() {
        PrintFixture feed = new PrintFixture();
        for (int i = 0; i < 64; i++) {
            int tile = i;
            feed.tile("acc", 4, 4, index -> tile == 17 ? index : tile == 40 && index == 3 ? Double.NaN : tile);
        }
        DevicePrints prints = feed.live();
        float[] expected = new float[16];
        Arrays.fill(expected, 17);
        DevicePrint print = prints.get(17);
        prints.remember(print, TensorComparison.of(print.tensor(), TensorView.of(expected, 4, 4), Tolerance.ulps(1)));
        return prints;
    }

    @Test
    void pageStartsWithWrongPrints() {
        // when
        String html = html(tiles());

        // then
        assertThat(html)
                .containsSubsequence(
                        "64 device prints with 1 prefix",
                        "<h2>print 17 &quot;acc&quot;</h2>",
                        "16 of 16 values are not what was expected within 1 ULP",
                        "<td>[0, 0]</td><td>17.0</td><td>0.0</td><td>17.00</td><td>16,776</td>",
                        "<summary>and 6 more</summary>",
                        "<td>[3, 3]</td><td>17.0</td><td>15.0</td><td>2.000</td><td>24</td>",
                        "<h2>print 40 &quot;acc&quot;</h2>",
                        "1 NaN of 16 values",
                        "<td>[0, 3]</td><td>nan</td>",
                        "Noticed",
                        "Prints, as they arrived");
    }

    @Test
    void showsOnlyFirstNonFinitePrintOfPrefixInFull() {
        // given
        DevicePrints prints = new PrintFixture()
                .floats("acc", 1, Float.NaN, Float.NEGATIVE_INFINITY)
                .floats("acc", Float.NaN)
                .floats("scale", Float.POSITIVE_INFINITY)
                .live();

        // when
        String html = html(prints);

        // then
        assertThat(html)
                .containsSubsequence(
                        "<h2>print 0 &quot;acc&quot;</h2>",
                        "1 NaN and 1 infinite of 3 values",
                        "<h2>print 2 &quot;scale&quot;</h2>",
                        "1 infinite of 1 value")
                .doesNotContain("<h2>print 1 ");
    }

    @Test
    void showsNoRangeOfValuesThatAreNotFinite() {
        // given
        DevicePrints prints = new PrintFixture()
                .floats("acc", Float.NaN, Float.NaN)
                .floats("zero", 0)
                .live();

        // when
        String html = html(prints);

        // then
        assertThat(html)
                .containsSubsequence("all 2 values are NaN", "<b>actual</b> no finite value", "no finite value</p>")
                .contains("one scale for each prefix: &quot;zero&quot; at \u00b10.000<");
        assertThat(json(prints).get("prints").get(0).get("values").toString()).isEqualTo("{\"nan\":2,\"infinite\":0}");
    }

    @Test
    void largeNumbersHaveGroupedDigits() {
        // given
        DevicePrints prints = new PrintFixture()
                .tile("acc", 128, 128, index -> index)
                .tile("scale", 128, 128, index -> Double.NaN)
                .live();
        DevicePrint print = prints.get(0);
        prints.remember(
                print,
                TensorComparison.of(
                        print.tensor(), TensorView.of(new float[128 * 128], 128, 128), Tolerance.absolute(0.5)));

        // then
        assertThat(html(prints))
                .containsSubsequence(
                        "16,383 of 16,384 values are not what was expected",
                        "<td>16,256</td>",
                        "<summary>and 16,373 more</summary>",
                        "and 16,319 that are not listed",
                        "all 16,384 values are NaN",
                        "at [0, 0] (all 16,384 values)",
                        "16,383 of 16,384 values differ",
                        "<p class=\"bad\">16,384 NaN</p>");
        assertThat(PrintText.of(prints))
                .containsSubsequence(
                        "print 0 \"acc\", bfloat16 (128, 128): 16,383 of 16,384 values",
                        "and 16,373 more",
                        "was 16320.0, 18,047 ULP apart");
    }

    @Test
    void valuesAreVisibleNextToExpectedZeros() {
        // given
        DevicePrints prints = new PrintFixture().floats("acc", 3, -3).live();
        DevicePrint print = prints.get(0);
        prints.remember(
                print, TensorComparison.of(print.tensor(), TensorView.of(new float[2], 2), Tolerance.absolute(0.5)));

        // then
        assertThat(html(prints))
                .containsSubsequence(
                        "<b>expected</b> strongest at \u00b13.000",
                        "<path class=\"above\" fill-opacity=\"1.00\" d=\"M0 0h1v1h-1z\"/>",
                        "<path class=\"below\" fill-opacity=\"1.00\" d=\"M1 0h1v1h-1z\"/>",
                        "<b>actual</b>");
    }

    @Test
    void beginsWithTheTestItsVerdictAndItsCores() {
        // given
        Judgement violated = Judgement.of(new Violation("@ExpectPrint(\"acc\")", "acc", "1 print", "none", ""));
        MeasuredTest failed =
                new MeasuredTest("LlamaTest > tokens()", List.of("neuron0/neuron_core1"), violated, false);
        DevicePrints prints = new PrintFixture().floats("scale", 1).live();

        // when
        String html = page(failed, prints);

        // then
        assertThat(body(html))
                .startsWith("<h1><span class=\"verdict failed\">failed</span> LlamaTest &gt; tokens()</h1>")
                .containsSubsequence("Violated: @ExpectPrint", "neuron0/", "1 device print with 1 prefix");
        assertThat(body(page(PrintFixture.PASSED, prints)))
                .startsWith("<h1><span class=\"verdict passed\">passed</span> PrintTest &gt; accumulates()</h1>");
    }

    @Test
    void failedAssertionOnPrintIsItsVerdict() {
        // given
        MeasuredTest failed = new MeasuredTest("LlamaTest > tokens()", List.of(), Judgement.NOTHING, false);

        // then
        assertThat(page(failed, compared()))
                .contains("<span class=\"verdict failed\">", "Violated: comparison of print 0 &quot;acc&quot;");
        assertThat(page(failed, new PrintFixture().floats("acc", 1).live()))
                .contains("<span class=\"verdict kept\">", "The test did not pass for another reason.");
        assertThat(page(PrintFixture.PASSED, compared())).contains("<span class=\"verdict passed\">");
    }

    @Test
    void marksWrongPrintsAmongAll() {
        // when
        String[] cards = html(tiles()).split("<div class=\"card(?!s)");

        // then
        assertThat(cards).hasSize(1 + 64);
        assertThat(Arrays.stream(cards).filter(card -> card.startsWith(" marked\"")))
                .hasSize(2)
                .satisfiesExactly(
                        card -> assertThat(card).contains("print 17", "16 of 16 values differ"),
                        card -> assertThat(card).contains("print 40", "1 NaN"));
    }

    @Test
    void drawsPrintsOfPrefixOnCommonScaleByDefault() {
        // given
        DevicePrints prints = new PrintFixture()
                .floats("acc", 1)
                .floats("scale", 1000)
                .floats("acc", -2)
                .live();

        // when
        String html = html(prints);

        // then
        assertThat(html)
                .contains("one scale for each prefix: &quot;acc&quot; at \u00b12.000, &quot;scale&quot; at \u00b11000<")
                .contains("<g opacity=\"0.50\"><path class=\"above\" fill-opacity=\"1.00\"")
                .contains("<g><path class=\"above\" fill-opacity=\"1.00\"")
                .contains("<g><path class=\"below\" fill-opacity=\"1.00\"")
                .contains("<input type=\"radio\" name=\"scale\" class=\"own\"/>")
                .contains("body:has(.own:checked) .map g { opacity: 1; }");
    }

    @Test
    void pageHasLandmarkTableHeadingsAndKeyboardAccess() {
        // when
        String html = html(tiles());

        // then
        assertThat(html.substring(html.indexOf("<body>") + 6, html.indexOf("</body>"))
                        .strip())
                .startsWith("<main>")
                .endsWith("</main>");
        assertThat(html)
                .contains("<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Values that are wrong\">")
                .contains("<thead><tr><th scope=\"col\">index</th><th scope=\"col\">expected</th>")
                .doesNotContain("<th>");
    }

    @Test
    void pageOfSmallPrintsStaysBelow64KiB() {
        // then
        assertThat(html(tiles()).getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(64 << 10);
    }

    @Test
    void reportsHowManyValuesAreNotListed() {
        // given
        DevicePrints prints = new PrintFixture().tile("acc", 16, 16, index -> 1).live();
        DevicePrint print = prints.get(0);
        prints.remember(
                print, TensorComparison.of(print.tensor(), TensorView.of(new float[256], 16, 16), Tolerance.exact()));

        // then
        assertThat(html(prints))
                .containsSubsequence("and 246 more", "<td>[3, 15]</td>", "and 192 that are not listed")
                .doesNotContain("<td>[4, 0]</td>");
    }
}
