package dev.neurontest.command.run;

import dev.neurontest.command.run.TestResults.Result;
import dev.neurontest.command.run.TestResults.Status;
import dev.neurontest.page.PageTemplate;
import dev.neurontest.process.Redaction;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The results in the form that CI servers read. Its text has no secrets, and only characters that XML may have. */
record JUnitXml(List<Case> cases, Optional<String> problem) {

    private static final String FILE = "TEST-neuron-test.xml";
    private static final PageTemplate TEMPLATE = PageTemplate.ofText(JUnitXml.class, "junit", JUnitXml::escaped);

    /** A result; {@code failure} is an assertion, {@code error} anything else that was thrown. */
    record Case(Result result) {

        boolean isFailed() {
            return result.status() == Status.FAILED;
        }

        boolean isSkipped() {
            return !isFailed() && result.status() != Status.PASSED;
        }

        String element() {
            return result.thrown().filter(AssertionError.class::isInstance).isPresent() ? "failure" : "error";
        }

        String message() {
            return result.thrown().map(Throwable::getMessage).orElse("null");
        }

        String type() {
            return result.thrown().map(thrown -> thrown.getClass().getName()).orElse("");
        }

        String trace() {
            return result.thrown().map(ResultsText::trace).orElse("");
        }

        String time() {
            return seconds(result.took());
        }
    }

    /**
     * Writes the file, replacing what is there.
     *
     * @param problem of the JVM, which is a test that failed then
     */
    static Path write(List<Result> results, Optional<String> problem, Path folder) throws IOException {
        JUnitXml xml = new JUnitXml(results.stream().map(Case::new).toList(), problem);
        return Files.writeString(Files.createDirectories(folder).resolve(FILE), TEMPLATE.fill(xml));
    }

    long tests() {
        return cases.size() + problem.stream().count();
    }

    long skipped() {
        return count(Case::isSkipped);
    }

    long failures() {
        return count(each -> each.isFailed() && each.element().equals("failure"));
    }

    long errors() {
        return count(Case::isFailed) - failures() + problem.stream().count();
    }

    private long count(Predicate<Case> which) {
        return cases.stream().filter(which).count();
    }

    String time() {
        return seconds(cases.stream().map(each -> each.result().took()).reduce(Duration.ZERO, Duration::plus));
    }

    private static String seconds(Duration took) {
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
