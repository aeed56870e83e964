import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Summarizes the XML reports of Surefire and Failsafe of all modules: the number of tests, the reasons of skipped ones, the slowest
 * classes, the tests that passed only when run again, and the test classes without a report. Exit code 1: a test failed, too many passed
 * only when run again, no test ran, or with --complete a class has no report. Exit code 2: a wrong argument or an unreadable report.
 */
final class TestReports {

    private static final String USAGE = """
            usage: java TestReports.java [--slowest] [--complete] [--flaky-limit=<n>] [--since=<instant>] [<folder>...]
              <folder>                       with reports, or of a module or a checkout (the current one)
              --slowest                      print only the slowest classes, and always succeed: for the end of a Maven build
              --complete                     fail for each test class in the sources without a report
              --flaky-limit=3                maximum number of tests that pass only when run again
              --since=2026-01-31T12:00:00Z   ignore older reports""";

    private static final int SLOWEST = 10;
    private static final int REASONS = 15;
    private static final int LINES = 3;
    private static final int WIDTH = 300;

    private enum Outcome {
        PASSED,
        SKIPPED,
        FAILED,
        FLAKY;

        static Outcome of(Node node) {
            return switch (node.getNodeName()) {
                case "failure", "error" -> FAILED;
                case "flakyFailure", "flakyError" -> FLAKY;
                case "skipped" -> SKIPPED;
                default -> PASSED;
            };
        }
    }

    /**
     * @param className with its package
     * @param why the reason of a skip, or the first lines of the first failure
     */
    private record Test(String className, String name, Outcome outcome, List<String> why) {}

    private record Report(Path file, String className, double seconds, List<Test> tests) {}

    public static void main(String[] arguments) throws IOException {
        boolean slowest = false;
        boolean complete = false;
        int limit = 3;
        Instant since = Instant.MIN;
        List<Path> folders = new ArrayList<>();
        for (String argument : arguments) {
            try {
                String value = argument.substring(argument.indexOf('=') + 1);
                if (argument.equals("--slowest")) {
                    slowest = true;
                } else if (argument.equals("--complete")) {
                    complete = true;
                } else if (argument.startsWith("--flaky-limit=")) {
                    limit = Integer.parseUnsignedInt(value);
                } else if (argument.startsWith("--since=")) {
                    since = Instant.parse(value);
                } else if (!argument.startsWith("-") && Files.isDirectory(Path.of(argument))) {
                    folders.add(Path.of(argument));
                } else {
                    throw new IllegalArgumentException("neither an option nor a folder");
                }
            } catch (IllegalArgumentException | DateTimeException wrong) {
                System.err.println(plain(argument + ": " + wrong.getMessage()));
                System.err.println(USAGE);
                System.exit(2);
            }
        }
        List<Report> reports = new ArrayList<>();
        List<Path> searched = folders.isEmpty() ? List.of(Path.of(".")) : folders;
        for (Path file : files(searched, since)) {
            try {
                reports.add(report(file));
            } catch (IOException | SAXException | IllegalArgumentException | ParserConfigurationException wrong) {
                System.err.println(plain(file + " cannot be read as a report of Surefire: " + wrong.getMessage()));
                if (!slowest) {
                    System.exit(2);
                }
            }
        }
        if (slowest) {
            printSlowest(reports);
        } else {
            boolean passed = print(reports, limit);
            System.exit((!complete || areComplete(reports, searched)) && passed ? 0 : 1);
        }
    }

    /** Checks that each test class has a report. Without it, a module that runs no tests would seem to pass. */
    private static boolean areComplete(List<Report> reports, List<Path> folders) throws IOException {
        Set<String> ran = reports.stream()
                .flatMap(report -> Stream.concat(
                        Stream.of(report.className()), report.tests().stream().map(Test::className)))
                .map(name -> name.replaceFirst("\\$.*", ""))
                .collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        for (Path folder : folders) {
            PathMatcher sources = folder.getFileSystem().getPathMatcher("glob:{,*/,*/*/}src/test/java/**{Test,IT}.java");
            try (Stream<Path> found =
                    Files.find(folder, 20, (file, attributes) -> sources.matches(folder.relativize(file)))) {
                for (Path source : found.toList()) {
                    String path = folder.relativize(source).toString().replaceFirst("^.*src/test/java/", "");
                    String name = path.replaceFirst("\\.java$", "").replace('/', '.');
                    String text = Files.readString(source);
                    boolean isTest = text.lines().anyMatch(line -> line.matches("(public )?class .*"));
                    // The check excludes these classes, but not those tagged "stress".
                    boolean isLong = text.lines().anyMatch(line -> line.equals("@Tag(\"long\")"));
                    if (isTest && !isLong && !ran.contains(name)) {
                        missing.add(name);
                    }
                }
            }
        }
        if (!missing.isEmpty()) {
            System.out.println("Test classes without a report; none of their tests ran:");
            missing.forEach(name -> System.out.println("  " + plain(name)));
        }
        return missing.isEmpty();
    }

    private static Set<Path> files(List<Path> folders, Instant since) throws IOException {
        Set<Path> files = new TreeSet<>();
        for (Path folder : folders) {
            PathMatcher reports =
                    folder.getFileSystem().getPathMatcher("glob:{,target/*-reports/,*/target/*-reports/,*/*/target/*-reports/}TEST-*.xml");
            try (Stream<Path> found = Files.find(
                    folder,
                    5,
                    (file, attributes) -> attributes.isRegularFile()
                            && reports.matches(folder.relativize(file))
                            && !attributes.lastModifiedTime().toInstant().isBefore(since))) {
                found.map(file -> file.toAbsolutePath().normalize()).forEach(files::add);
            }
        }
        return files;
    }

    private static Report report(Path file) throws IOException, SAXException, ParserConfigurationException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        DocumentBuilder builder = factory.newDocumentBuilder();
        builder.setErrorHandler(new DefaultHandler());
        Element suite = builder.parse(file.toFile()).getDocumentElement();
        if (!suite.getTagName().equals("testsuite")) {
            throw new IllegalArgumentException(
                    "it begins with <%s>, not with <testsuite>".formatted(suite.getTagName()));
        }
        List<Element> cases = elements(suite)
                .filter(child -> child.getTagName().equals("testcase"))
                .toList();
        double seconds = seconds(suite);
        // If tests ran again, Surefire reports the time of the class in its last run only.
        if (cases.stream()
                .flatMap(TestReports::elements)
                .anyMatch(child -> child.getTagName().matches("(rerun|flaky).*"))) {
            seconds = Math.max(
                    seconds, cases.stream().mapToDouble(TestReports::seconds).sum());
        }
        return new Report(
                file,
                suite.getAttribute("name"),
                seconds,
                cases.stream().map(TestReports::test).toList());
    }

    private static Test test(Element testCase) {
        String className = testCase.getAttribute("classname");
        String name = className + "." + testCase.getAttribute("name");
        return elements(testCase)
                .filter(child -> Outcome.of(child) != Outcome.PASSED)
                .findFirst()
                .map(first -> new Test(className, name, Outcome.of(first), why(first, className)))
                .orElseGet(() -> new Test(className, name, Outcome.PASSED, List.of()));
    }

    private static List<String> why(Element outcome, String className) {
        String message = outcome.getAttribute("message").strip();
        // If a test ran again, the trace is in a separate element next to the output.
        List<String> trace = elements(outcome)
                .filter(child -> child.getTagName().equals("stackTrace"))
                .findFirst()
                .orElse(outcome)
                .getTextContent()
                .strip()
                .lines()
                .toList();
        if (Outcome.of(outcome) == Outcome.SKIPPED) {
            // A disabled test has a message, a failed assumption has a trace.
            return Stream.of(
                            message.lines(),
                            trace.stream().map(line -> line.replaceFirst("^[\\w.$]+: ", "")),
                            Stream.of("no reason given"))
                    .flatMap(Function.identity())
                    .limit(1)
                    .toList();
        }
        if (trace.isEmpty()) {
            trace = (outcome.getAttribute("type") + ": " + message).lines().toList();
        }
        return Stream.concat(
                        trace.stream()
                                .takeWhile(line -> !line.startsWith("\tat "))
                                .filter(line -> !line.isBlank())
                                .limit(LINES),
                        trace.stream()
                                .filter(line -> line.startsWith("\tat ") && line.contains(className + "."))
                                .map(String::strip)
                                .limit(1))
                .toList();
    }

    private static Stream<Element> elements(Element parent) {
        return IntStream.range(0, parent.getChildNodes().getLength())
                .mapToObj(parent.getChildNodes()::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast);
    }

    /** Surefire groups by thousands: 1,234.5. */
    private static double seconds(Element element) {
        String time = element.getAttribute("time").replace(",", "");
        return time.isEmpty() ? 0 : Double.parseDouble(time);
    }

    private static boolean print(List<Report> reports, int limit) {
        Map<Outcome, List<Test>> tests = reports.stream()
                .flatMap(report -> report.tests().stream())
                .collect(Collectors.groupingBy(Test::outcome));
        List<Test> skipped = tests.getOrDefault(Outcome.SKIPPED, List.of());
        List<Test> failed = tests.getOrDefault(Outcome.FAILED, List.of());
        List<Test> flaky = tests.getOrDefault(Outcome.FLAKY, List.of());
        int ran = tests.getOrDefault(Outcome.PASSED, List.of()).size() + failed.size() + flaky.size();

        Map<String, Long> reasons = skipped.stream()
                .collect(Collectors.groupingBy(test -> test.why().get(0), Collectors.counting()));
        if (!reasons.isEmpty()) {
            System.out.println("Skipped, and why:");
            reasons.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(REASONS)
                    .forEach(reason -> System.out.printf("%7d  %s%n", reason.getValue(), plain(reason.getKey())));
            if (reasons.size() > REASONS) {
                System.out.println("         and " + (reasons.size() - REASONS) + " other reasons");
            }
        }
        printSlowest(reports);
        printTests("Failed:", failed);
        printTests("Failed, then passed when run again:", flaky);
        System.out.printf(
                "%d tests ran: %d failed, %d passed only when run again; %d were skipped%n",
                ran, failed.size(), flaky.size(), skipped.size());
        if (ran == 0) {
            System.out.println("No test ran, so the run does not pass. " + reports.size() + " reports were read.");
        }
        if (flaky.size() > limit) {
            System.out.printf("More than %d tests passed only when run again, so the run does not pass. Fix them first.%n", limit);
        }
        return ran > 0 && failed.isEmpty() && flaky.size() <= limit;
    }

    private static void printTests(String title, List<Test> tests) {
        if (!tests.isEmpty()) {
            System.out.println(title);
        }
        for (Test test : tests) {
            System.out.println("  " + plain(test.name()));
            test.why().forEach(line -> System.out.println("      " + plain(line)));
        }
    }

    private static void printSlowest(List<Report> reports) {
        if (reports.isEmpty()) {
            return;
        }
        System.out.println("The slowest test classes, in seconds:");
        Path directory = Path.of("").toAbsolutePath();
        reports.stream()
                .sorted(Comparator.comparingDouble(Report::seconds).reversed())
                .limit(SLOWEST)
                .forEach(report -> System.out.printf(
                        Locale.ROOT,
                        "%7.1f  %s  (%s)%n",
                        report.seconds(),
                        plain(report.className()),
                        plain(directory.relativize(report.file().getParent()).toString())));
    }

    /** Returns one line without control characters, because the output of a test may contain any character. */
    private static String plain(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(WIDTH).forEach(character -> {
            switch (Character.getType(character)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR,
                        Character.SURROGATE,
                        Character.PRIVATE_USE,
                        Character.UNASSIGNED -> line.append(String.format("\\u%04x", character));
                default -> line.appendCodePoint(character);
            }
        });
        return text.codePointCount(0, text.length()) > WIDTH ? line + "..." : line.toString();
    }
}
