package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.command.NeuronTestCommand;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that main code writes and compares the same in every locale and with every default encoding. */
class LocaleRulesTest {

    /** Methods of the JDK that use the default locale or the default encoding, without their packages. */
    private static final Set<String> DEPEND_ON_DEFAULTS = Set.of(
            "String.format(String, Object[])",
            "String.toLowerCase()",
            "String.toUpperCase()",
            "String.getBytes()",
            "String.<init>(byte[])",
            "String.<init>(byte[], int, int)",
            "PrintStream.format(String, Object[])",
            "PrintStream.printf(String, Object[])",
            "PrintWriter.format(String, Object[])",
            "PrintWriter.printf(String, Object[])",
            "Formatter.<init>()",
            "Formatter.<init>(Appendable)",
            "NumberFormat.getInstance()",
            "NumberFormat.getIntegerInstance()",
            "NumberFormat.getNumberInstance()",
            "NumberFormat.getPercentInstance()",
            "NumberFormat.getCompactNumberInstance()",
            "DecimalFormat.<init>()",
            "DecimalFormat.<init>(String)",
            "DecimalFormatSymbols.getInstance()",
            "SimpleDateFormat.<init>(String)",
            "DateTimeFormatter.ofPattern(String)",
            "DateTimeFormatter.ofLocalizedDate(FormatStyle)",
            "DateTimeFormatter.ofLocalizedDateTime(FormatStyle)",
            "DateTimeFormatter.ofLocalizedTime(FormatStyle)",
            "MessageFormat.<init>(String)",
            "MessageFormat.format(String, Object[])",
            "Collator.getInstance()",
            "Locale.getDefault()",
            "InputStreamReader.<init>(InputStream)",
            "OutputStreamWriter.<init>(OutputStream)",
            "FileReader.<init>(File)",
            "FileReader.<init>(String)",
            "FileWriter.<init>(File)",
            "FileWriter.<init>(String)",
            "PrintStream.<init>(OutputStream)",
            "PrintStream.<init>(OutputStream, boolean)",
            "PrintWriter.<init>(OutputStream)",
            "PrintWriter.<init>(OutputStream, boolean)",
            "Scanner.<init>(InputStream)",
            "Process.inputReader()",
            "Process.errorReader()",
            "Process.outputWriter()");

    /** The conversions for which a formatter takes digits and signs from the locale. {@code %s} of a number does not. */
    private static final Pattern LOCALIZED =
            Pattern.compile("(?<!%)(?:%%)*%(?:\\d+\\$)?[-#+ 0,(]*\\d*(?:\\.\\d+)?[dfeEgG]");

    private static final Pattern LITERAL_OR_COMMENT = Pattern.compile(
            "\"\"\"(?:[^\\\\\"]++|\\\\.|\"(?!\"\"))*+\"\"\"|\"(?:[^\"\\\\\\n]++|\\\\.)*+\"|//[^\\n]*+|/\\*.*?\\*/|'(?:[^'\\\\]|\\\\.)+'",
            Pattern.DOTALL);

    /** Strings that resemble formats but are none. */
    private static final Set<String> NO_FORMATS =
            Set.of("\"lower(message) LIKE '%dropped%'\"", "\"core-dump/dt-%d-cid-%c\"");

    @Test
    void mainCodeUsesNoDefaultLocaleOrEncoding() {
        // when
        List<String> uses = new ClassFileImporter()
                        .importUrls(Stream.of(
                                        HostTree.class, NeuronTest.class, NeuronTestCommand.class, FakeNeuronHost.class)
                                .map(type -> type.getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation())
                                .toList())
                        .stream()
                        .flatMap(type -> type.getCodeUnitAccessesFromSelf().stream())
                        .filter(access -> DEPEND_ON_DEFAULTS.contains(signature(access.getTarget())))
                        .map(JavaAccess::getDescription)
                        .toList();

        // then the output of the command has the encoding of its user
        assertThat(uses).allMatch(use -> use.contains("NeuronTestCommand.run("));
    }

    private static String signature(CodeUnitAccessTarget method) {
        return method.getOwner().getSimpleName() + "." + method.getName()
                + method.getRawParameterTypes().stream()
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    /**
     * Verifies that localized conversions occur only in formats of {@code String.format(Locale.ROOT, …)}. Other formats
     * use {@code %s} for numbers.
     */
    @Test
    void numbersAreFormattedInTheRootLocale() throws IOException {
        // given
        List<String> localized = new ArrayList<>();
        for (String module : List.of("core", "junit", "command", "../fake-sysfs")) {
            Path sources = Path.of("..", module, "src", "main", "java");
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    localized(Files.readString(file))
                            .forEach(literal -> localized.add(file.getFileName() + " " + literal));
                }
            }
        }

        // then
        assertThat(localized).isEmpty();
    }

    private static Stream<String> localized(String source) {
        return LITERAL_OR_COMMENT
                .matcher(source)
                .results()
                .filter(found -> found.group().startsWith("\"") && !NO_FORMATS.contains(found.group()))
                .filter(found -> LOCALIZED.matcher(found.group()).find())
                .filter(found -> !isInRootLocale(source, found))
                .map(MatchResult::group);
    }

    private static boolean isInRootLocale(String source, MatchResult literal) {
        String before = source.substring(0, literal.start());
        return before.substring(before.lastIndexOf(';') + 1).contains("Locale.ROOT,")
                && !source.substring(literal.end()).stripLeading().startsWith(".formatted(");
    }
}
