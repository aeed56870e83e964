package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the C sources of the stand-in libnrt and of the launcher at the real path. */
class CSourcesIT {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"src/main/c", "src/main/c/realpath"})
    void sourcesHaveNoDependencyCycle(String sources) throws Exception {
        // given
        assumeTrue(FakeRuntime.unavailable().isEmpty(), "needs gcc");
        Map<String, Set<String>> uses = uses(Path.of(sources));

        // then
        assertThat(uses).hasSizeGreaterThan(2);
        assertThat(uses)
                .allSatisfy((file, used) -> assertThat(withUsed(used, uses))
                        .as("what %s uses, directly or through others", file)
                        .doesNotContain(file));
    }

    /** Returns each file with the files that define the functions and variables it uses. */
    private Map<String, Set<String>> uses(Path sources) throws Exception {
        Map<String, String> definedIn = new HashMap<>();
        Map<String, Set<String>> undefined = new TreeMap<>();
        for (Path source : sources(sources)) {
            String file = source.getFileName().toString();
            Path object = folder.resolve(file + ".o");
            output("gcc", "-std=gnu11", "-fPIC", "-DRELEASE=34", "-c", source.toString(), "-o", object.toString());
            for (String line : output("nm", object.toString()).split("\n")) {
                String[] words = line.strip().split("\\s+");
                if (words.length == 2 && words[0].equals("U")) {
                    undefined.computeIfAbsent(file, key -> new TreeSet<>()).add(words[1]);
                } else if (words.length == 3 && "TDBRC".contains(words[1])) {
                    definedIn.put(words[2], file);
                }
            }
        }
        Map<String, Set<String>> uses = new TreeMap<>();
        undefined.forEach((file, names) -> {
            Set<String> files = uses.computeIfAbsent(file, key -> new TreeSet<>());
            names.stream().filter(definedIn::containsKey).map(definedIn::get).forEach(files::add);
        });
        return uses;
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".c")).sorted().toList();
        }
    }

    private static String output(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static Set<String> withUsed(Set<String> direct, Map<String, Set<String>> uses) {
        Set<String> found = new TreeSet<>(direct);
        List<String> open = new ArrayList<>(found);
        while (!open.isEmpty()) {
            uses.getOrDefault(open.remove(0), Set.of()).stream()
                    .filter(found::add)
                    .forEach(open::add);
        }
        return found;
    }
}
