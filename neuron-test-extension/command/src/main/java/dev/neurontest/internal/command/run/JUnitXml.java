package dev.neurontest.internal.command.run;

import dev.neurontest.internal.command.run.TestResults.Result;
import dev.neurontest.internal.page.PageTemplate;
import dev.neurontest.internal.process.Redaction;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The results in the XML format that CI servers read. The text contains no secrets and only characters that XML allows. */
record JUnitXml(List<Result> cases, Optional<String> problem) {

    private static final String FILE = "TEST-neuron-test.xml";
    private static final PageTemplate TEMPLATE = PageTemplate.ofText(JUnitXml.class, "junit", JUnitXml::escaped);

    /**
     * Writes the file and replaces an existing one.
     *
     * @param problem a problem of the JVM, which is written as a failed test
     */
    static Path write(List<Result> results, Optional<String> problem, Path folder) throws IOException {
        JUnitXml xml = new JUnitXml(results, problem);
        return Files.writeString(Files.createDirectories(folder).resolve(FILE), TEMPLATE.fill(xml));
    }

    long tests() {
        return cases.size() + problem.stream().count();
    }

    long skipped() {
        return count(Result::isSkipped);
    }

    long failures() {
        return count(each -> each.isFailed() && each.element().equals("failure"));
    }

    long errors() {
        return count(Result::isFailed) - failures() + problem.stream().count();
    }

    private long count(Predicate<Result> which) {
        return cases.stream().filter(which).count();
    }

    String time() {
        return seconds(cases.stream().map(Result::took).reduce(Duration.ZERO, Duration::plus));
    }

    static String seconds(Duration took) {
        return BigDecimal.valueOf(took.toMillis(), 3).toPlainString();
    }

    private static String escaped(String text) {
        return Redaction.mask(text)
                .replaceAll("[^\\t\\n\\r -\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "\uFFFD")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
