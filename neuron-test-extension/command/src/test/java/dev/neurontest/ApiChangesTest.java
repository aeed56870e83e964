package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the change log names every change of the API since the last release, and how changes are found. */
class ApiChangesTest {

    private static final List<String> RELEASED = List.of(
            "experimental interface dev.neurontest.device.Core",
            "    int index()",
            "    List<Path> files(Path, String)",
            "    new(int)",
            "experimental enum dev.neurontest.device.Core$State",
            "    static Core$State FREE");

    private static List<String> with(String line, String replacement) {
        return RELEASED.stream()
                .map(each -> each.equals(line) ? replacement : each)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    @Test
    void changeLogNamesEveryChangeSinceTheLastRelease() throws IOException {
        // given
        String log = Files.readString(Path.of("..", "..", "CHANGELOG.md"));
        String unreleased = log.replaceFirst("(?s).*?\n## Unreleased\n", "").replaceFirst("(?s)\n## .*", "");
        List<String> now = Files.readAllLines(Path.of("..", "api.txt"));

        // then
        try (Stream<Path> lists =
                Files.list(Path.of("..")).filter(file -> file.toString().matches(".*api-[\\d.]+\\.txt"))) {
            for (Path list : lists.toList()) {
                assertThat(ApiChanges.unnamed(Files.readAllLines(list), now, unreleased))
                        .as(
                                "changes of the API since %s that CHANGELOG.md does not name below \"Unreleased\" as `Type` or `Type.member`",
                                list.getFileName())
                        .isEmpty();
            }
        }
    }

    @Test
    void findsNoChangeInEqualLists() {
        assertThat(ApiChanges.unnamed(RELEASED, RELEASED, "")).isEmpty();
    }

    @Test
    void findsRemovedMember() {
        // given
        List<String> now = with("    int index()", "");

        // then
        assertThat(ApiChanges.unnamed(RELEASED, now, "the index of `Core` and `Device.index()`"))
                .containsExactly("dev.neurontest.device.Core: - int index()");
        assertThat(ApiChanges.unnamed(RELEASED, now, "no more `Core.index()`")).isEmpty();
    }

    @Test
    void findsAddedMember() {
        assertThat(ApiChanges.unnamed(with("    int index()", ""), RELEASED, ""))
                .containsExactly("dev.neurontest.device.Core: + int index()");
    }

    @Test
    void findsChangedParameterOnBothSides() {
        // given
        List<String> now = with("    List<Path> files(Path, String)", "    List<Path> files(Path)");

        // then
        assertThat(ApiChanges.unnamed(RELEASED, now, ""))
                .containsExactly(
                        "dev.neurontest.device.Core: - List<Path> files(Path, String)",
                        "dev.neurontest.device.Core: + List<Path> files(Path)");
        assertThat(ApiChanges.unnamed(RELEASED, now, "`Core.files(Path)`")).isEmpty();
    }

    @Test
    void findsChangedConstructor() {
        // given
        List<String> now = with("    new(int)", "    new(long)");

        // then
        assertThat(ApiChanges.unnamed(RELEASED, now, "`Core`")).hasSize(2);
        assertThat(ApiChanges.unnamed(RELEASED, now, "`new Core(long)`")).isEmpty();
    }

    @Test
    void findsChangedStatusOfType() {
        // given
        String type = "experimental interface dev.neurontest.device.Core";
        List<String> now = with(type, type.replace("experimental", "stable"));

        // then
        assertThat(ApiChanges.unnamed(RELEASED, now, "Core is stable")).hasSize(2);
        assertThat(ApiChanges.unnamed(RELEASED, now, "`Core` is stable")).isEmpty();
    }

    @Test
    void removedTypeIsNamedWithoutItsMembers() {
        // given
        List<String> now = RELEASED.subList(0, 4);

        // then
        assertThat(ApiChanges.unnamed(RELEASED, now, ""))
                .containsExactly(
                        "dev.neurontest.device.Core$State: - experimental enum dev.neurontest.device.Core$State");
        assertThat(ApiChanges.unnamed(RELEASED, now, "no more `Core.State`")).isEmpty();
    }
}
