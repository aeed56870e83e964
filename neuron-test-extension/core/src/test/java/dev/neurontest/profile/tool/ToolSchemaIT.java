package dev.neurontest.profile.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.table.TableSchema;
import dev.neurontest.profile.tool.ProfilerTool.Generation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
class ToolSchemaIT {

    @TempDir
    Path folder;

    /** A tool that knows one way to be asked, and writes down each. */
    private ProfilerTool tool(int minor, String knows) throws IOException {
        Path program = folder.resolve("neuron-explorer");
        Files.writeString(program, """
                #!/bin/sh
                echo "$*" >> '%s'
                [ "$*" = '%s' ] || { echo "unknown flag" >&2; exit 1; }
                printf 'openapi: 3.0.0\\ninfo:\\n  version: 12.0.1\\n---Warning:\\n  properties:\\n    message:\\n      type: string'
                """.formatted(folder.resolve("asked"), knows));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new ProfilerTool(
                Generation.EXPLORER, program, "2.%s.1".formatted(minor), 2, minor, "neuron-explorer 2." + minor);
    }

    private List<String> asked() throws IOException {
        return Files.readAllLines(folder.resolve("asked"));
    }

    @Test
    void isAskedOfTheSubcommandOfNewerToolsAndOnlyOnce() throws IOException {
        // given
        ProfilerTool tool = tool(33, "view --show-profile-schema");

        // when
        Optional<TableSchema> schema = ToolSchema.of(tool, Map.of());
        ToolSchema.of(tool, Map.of());

        // then
        assertThat(schema).hasValueSatisfying(there -> {
            assertThat(there.version()).isEqualTo("12.0.1");
            assertThat(there.tables()).containsOnlyKeys("Warning");
        });
        assertThat(asked()).containsExactly("view --show-profile-schema");
    }

    @Test
    void isAskedOfOlderToolsThemselves() throws IOException {
        // then
        assertThat(ToolSchema.of(tool(32, "--show-profile-schema"), Map.of())).isPresent();
        assertThat(asked()).containsExactly("--show-profile-schema");
    }

    @Test
    void isAskedTheOtherWayWhereTheFirstIsNotKnown() throws IOException {
        // then
        assertThat(ToolSchema.of(tool(34, "--show-profile-schema"), Map.of())).isPresent();
        assertThat(asked()).containsExactly("view --show-profile-schema", "--show-profile-schema");
    }

    @Test
    void isNotKnownOfAToolThatDoesNotTell() throws IOException {
        // then
        assertThat(ToolSchema.of(tool(30, "--version"), Map.of())).isEmpty();
        assertThat(ToolSchema.of(
                        new ProfilerTool(
                                Generation.PROFILE, folder.resolve("none"), "2.19", 2, 19, "neuron-profile 2.19"),
                        Map.of()))
                .isEmpty();
        assertThat(asked()).hasSize(2);
    }
}
