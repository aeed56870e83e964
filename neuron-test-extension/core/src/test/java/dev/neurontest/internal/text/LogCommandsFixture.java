package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;

/** Commands that CI servers read in a log, and the rules by which they find them. */
public final class LogCommandsFixture {

    public static final List<String> COMMANDS = List.of(
            // GitHub
            "::error::y",
            "::error file=a.java,line=1::y",
            "::stop-commands::x",
            "::add-mask::a",
            "::x::",
            " \t::error::y",
            "\u00a0\u2003::error::y",
            "##[error]y",
            "##[add-mask]a",
            // GitLab
            "section_start:1560896352:a\r\u001b[0Ky",
            "section_end:1560896352:a[collapsed=true]\r\u001b[0Ky",
            // Azure Pipelines
            "##vso[task.setvariable variable=a]b",
            "##VSO[task.logissue type=error]y",
            "##[section]y",
            // TeamCity
            "##teamcity[testFailed name='a']",
            "##teamcity['message']");

    /** All commands, each at the beginning of a line and within one. */
    public static final String LINES =
            "x\n" + String.join("\n", COMMANDS) + "\nwithin " + String.join("\nwithin ", COMMANDS) + "\r::error::y\n";

    private static final Pattern GITHUB = Pattern.compile("(?md)^[\\s\\p{Z}\\x{85}]*::|##\\[");
    private static final Pattern GITLAB = Pattern.compile("section_(start|end):\\d+:[\\w.-]+(\\[.*])?\r\u001b\\[0K");
    private static final Pattern AZURE = Pattern.compile("##(?i:vso)?\\[");
    private static final Pattern TEAMCITY = Pattern.compile("##(?i:teamcity)\\[");

    private LogCommandsFixture() {}

    /** Verifies that a log has no command of any server. */
    public static void assertNoCommand(String log) {
        assertThat(log)
                .doesNotContainPattern(GITHUB)
                .doesNotContainPattern(GITLAB)
                .doesNotContainPattern(AZURE)
                .doesNotContainPattern(TEAMCITY);
    }
}
