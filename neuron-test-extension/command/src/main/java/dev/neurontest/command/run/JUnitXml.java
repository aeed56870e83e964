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
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Results as the XML that CI servers read, a suite for each class. */
final class JUnitXml {

    private static final String FILE = "TEST-neuron-test.xml";

    /** The name of a suite, and of the class of its test, for what kept the tests from running. */
    private static final String RUN = "neuron-test";

    private static final String JVM = "JVM of the tests";

    private final XMLStreamWriter xml;

    private JUnitXml(XMLStreamWriter xml) {
        this.xml = xml;
    }

    /**
     * Writes results.
     *
     * @param results of the tests that ran
     * @param problem what kept others from running, which becomes an error; empty for nothing
     * @param folder of the reports
     */
    static Path write(TestResults results, Optional<String> problem, Path folder) throws IOException {
        return write(Optional.of(results), problem, folder);
    }

    /**
     * Writes an error in the place of results, which these replace. Of a JVM that does not come to its end, no results of an earlier run
     * are left.
     */
    static void writeUnfinished(Path folder) throws IOException {
        String problem =
                "The JVM of the tests did not write its results: it was killed, was not or could not be started, or still runs.";
        write(Optional.empty(), Optional.of(problem), folder);
    }

    private static Path write(Optional<TestResults> results, Optional<String> problem, Path folder) throws IOException {
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

    private void write(Optional<TestResults> results, Optional<String> problem) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeCharacters("\n");
        xml.writeStartElement("testsuites");
        if (results.isPresent()) {
            suites(results.get());
        }
        if (problem.isPresent()) {
            problem(problem.get());
        }
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private void suites(TestResults results) throws XMLStreamException {
        String timestamp = DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                results.started().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC));
        for (var suite : results.byClass().entrySet()) {
            suite(suite.getKey(), suite.getValue(), timestamp);
        }
    }

    private void problem(String message) throws XMLStreamException {
        xml.writeStartElement("testsuite");
        attribute("name", RUN);
        attribute("tests", "1");
        attribute("skipped", "0");
        attribute("failures", "0");
        attribute("errors", "1");
        attribute("time", "0");
        xml.writeStartElement("testcase");
        attribute("name", JVM);
        attribute("classname", RUN);
        attribute("time", "0");
        xml.writeStartElement("error");
        attribute("message", message);
        xml.writeEndElement();
        xml.writeEndElement();
        xml.writeEndElement();
    }

    private void suite(String className, List<Result> results, String timestamp) throws XMLStreamException {
        xml.writeStartElement("testsuite");
        attribute("name", className.isEmpty() ? "(no class)" : className);
        attribute("tests", String.valueOf(results.size()));
        attribute("skipped", String.valueOf(count(results, Status.SKIPPED) + count(results, Status.ABORTED)));
        attribute(
                "failures",
                String.valueOf(results.stream().filter(JUnitXml::isFailure).count()));
        attribute(
                "errors",
                String.valueOf(count(results, Status.FAILED)
                        - results.stream().filter(JUnitXml::isFailure).count()));
        attribute("time", seconds(results.stream().map(Result::took).reduce(Duration.ZERO, Duration::plus)));
        attribute("timestamp", timestamp);
        for (Result result : results) {
            test(result);
        }
        xml.writeEndElement();
    }

    private void test(Result result) throws XMLStreamException {
        xml.writeStartElement("testcase");
        attribute("name", result.name());
        attribute("classname", result.className());
        attribute("time", seconds(result.took()));
        switch (result.status()) {
            case PASSED -> {}
            case FAILED -> thrown(isFailure(result) ? "failure" : "error", result);
            case SKIPPED -> skipped(result.reason());
            case ABORTED -> skipped(result.thrown().map(Throwable::getMessage).orElse("aborted"));
        }
        xml.writeEndElement();
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

    private void skipped(String reason) throws XMLStreamException {
        xml.writeStartElement("skipped");
        attribute("message", reason);
        xml.writeEndElement();
    }

    private void attribute(String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, printable(value));
    }

    private static boolean isFailure(Result result) {
        return result.thrown().filter(AssertionError.class::isInstance).isPresent();
    }

    private static long count(List<Result> results, Status status) {
        return results.stream().filter(result -> result.status() == status).count();
    }

    private static String seconds(Duration took) {
        return BigDecimal.valueOf(took.toMillis(), 3).toPlainString();
    }

    /** Without secrets, and without most control characters and half characters, which XML has no way to write. */
    private static String printable(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        Redaction.mask(text)
                .codePoints()
                .map(point -> isXml(point) ? point : '\uFFFD')
                .forEach(printable::appendCodePoint);
        return printable.toString();
    }

    private static boolean isXml(int point) {
        return point == '\t'
                || point == '\n'
                || point == '\r'
                || point >= ' ' && point <= 0xD7FF
                || point >= 0xE000 && point <= 0xFFFD
                || point >= 0x10000;
    }
}
