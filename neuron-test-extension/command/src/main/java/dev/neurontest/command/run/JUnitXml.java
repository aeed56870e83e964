package dev.neurontest.command.run;

import dev.neurontest.command.run.TestResults.Result;
import dev.neurontest.command.run.TestResults.Status;
import dev.neurontest.process.Redaction;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Results as the XML that CI servers read: one suite, in which each test has its class. */
final class JUnitXml {

    private static final String FILE = "TEST-neuron-test.xml";
    private static final String SUITE = "neuron-test";

    private final XMLStreamWriter xml;

    private JUnitXml(XMLStreamWriter xml) {
        this.xml = xml;
    }

    /**
     * Writes results.
     *
     * @param results of the tests that ran
     * @param problem that kept others from running, which becomes an error; empty for none
     * @param folder of the reports
     */
    static Path write(List<Result> results, Optional<String> problem, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(FILE);
        try (Writer text = Files.newBufferedWriter(file)) {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            new JUnitXml(xml).write(results, problem);
            xml.close();
        } catch (XMLStreamException failed) {
            throw new IOException("The report %s cannot be written: %s".formatted(file, failed.getMessage()), failed);
        }
        return file;
    }

    private void write(List<Result> results, Optional<String> problem) throws XMLStreamException {
        long failures = results.stream().filter(JUnitXml::isFailure).count();
        long failed = results.stream()
                .filter(result -> result.status() == Status.FAILED)
                .count();
        long passed = results.stream()
                .filter(result -> result.status() == Status.PASSED)
                .count();
        int errors = problem.isPresent() ? 1 : 0;
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeStartElement("testsuite");
        attribute("name", SUITE);
        attribute("tests", results.size() + errors);
        attribute("skipped", results.size() - passed - failed);
        attribute("failures", failures);
        attribute("errors", failed - failures + errors);
        attribute("time", seconds(results.stream().map(Result::took).reduce(Duration.ZERO, Duration::plus)));
        for (Result result : results) {
            test(result.className(), result.name(), result.took());
            switch (result.status()) {
                case PASSED -> {}
                case FAILED -> thrown(isFailure(result) ? "failure" : "error", result);
                case SKIPPED, ABORTED -> message("skipped", result.reason());
            }
            xml.writeEndElement();
        }
        if (problem.isPresent()) {
            test(SUITE, "JVM of the tests", Duration.ZERO);
            message("error", problem.get());
            xml.writeEndElement();
        }
        xml.writeEndDocument();
    }

    private void test(String className, String name, Duration took) throws XMLStreamException {
        xml.writeStartElement("testcase");
        attribute("name", name);
        attribute("classname", className);
        attribute("time", seconds(took));
    }

    private void thrown(String element, Result result) throws XMLStreamException {
        xml.writeStartElement(element);
        if (result.thrown().isPresent()) {
            Throwable thrown = result.thrown().get();
            attribute("message", String.valueOf(thrown.getMessage()));
            attribute("type", thrown.getClass().getName());
            xml.writeCharacters(printable(ResultsText.trace(thrown)));
        }
        xml.writeEndElement();
    }

    private void message(String element, String message) throws XMLStreamException {
        xml.writeStartElement(element);
        attribute("message", message);
        xml.writeEndElement();
    }

    private void attribute(String name, Object value) throws XMLStreamException {
        xml.writeAttribute(name, printable(String.valueOf(value)));
    }

    private static boolean isFailure(Result result) {
        return result.status() == Status.FAILED
                && result.thrown().filter(AssertionError.class::isInstance).isPresent();
    }

    private static String seconds(Duration took) {
        return BigDecimal.valueOf(took.toMillis(), 3).toPlainString();
    }

    /** Masks secrets, and replaces characters that XML cannot contain. */
    private static String printable(String text) {
        return Redaction.mask(text).replaceAll("[^\\t\\n\\r -\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "\uFFFD");
    }
}
