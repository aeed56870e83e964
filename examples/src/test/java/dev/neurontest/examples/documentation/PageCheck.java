package dev.neurontest.examples.documentation;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A check for differences between a page and the code, and for broken links. */
final class PageCheck {

    private static final Set<String> CODE = Set.of("java", "kotlin", "xml", "groovy", "properties");
    private static final Set<String> WITHOUT_LANGUAGE = Set.of("");
    private static final Pattern VAGUE = Pattern.compile("(?i)\\b(nobody|somebody|whoever|whom|everybody)\\b");
    private static final Pattern FILE =
            Pattern.compile("`((?:fake-sysfs|neuron-test-extension|examples|docs|\\.ci)/[\\w./-]+)`");
    private static final int WIDTH = 140;

    private final Path root;
    private final FixtureRun fixtures;
    private final boolean update;

    PageCheck(Path root, FixtureRun fixtures, boolean update) {
        this.root = root;
        this.fixtures = fixtures;
        this.update = update;
    }

    /** Returns the problems of the blocks, one line or paragraph each. */
    List<String> blocks(Page page) {
        List<String> problems = new ArrayList<>(page.problems());
        for (int i = 0; i < page.blocks().size(); i++) {
            Block block = page.blocks().get(i);
            try {
                form(block).ifPresent(problem -> problems.add(page.at(block.line()) + problem));
                Optional<List<String>> source = source(page, block);
                if (source.isPresent() && !same(block, source.get())) {
                    if (update) {
                        page.replace(block, isCode(block) ? source.get() : Shown.merged(block.content(), source.get()));
                    } else {
                        problems.add(page.at(block.line()) + difference(block, source.get()));
                    }
                }
                missingImport(page, block).ifPresent(problem -> problems.add(page.at(block.line()) + problem));
            } catch (IllegalArgumentException e) {
                problems.add(page.at(block.line()) + e.getMessage());
            }
        }
        return problems;
    }

    /** Returns the first import that a reader needs and that neither the block nor the page shows. */
    private Optional<String> missingImport(Page page, Block block) {
        boolean shown =
                ExampleFile.isAround(block) && page.blocks().stream().anyMatch(each -> each.has(Block.Kind.IMPORTS));
        return shown || !block.language().equals("java") || !block.has(Block.Kind.FROM)
                ? Optional.empty()
                : ExampleFile.missingImports(root, block).stream()
                        .findFirst()
                        .map(line -> "the block needs \"" + line
                                + "\": show it, or add a folded block with <!-- imports -->");
    }

    private static Optional<String> form(Block block) {
        String language = block.language();
        if (WITHOUT_LANGUAGE.contains(language)) {
            return Optional.of("the block has no language: write ```java, ```sh, ```text or another");
        }
        if (language.equals("sh")) {
            return Optional.empty();
        }
        if (language.equals("text")) {
            boolean compared = block.has(Block.Kind.OUTPUT)
                    || block.has(Block.Kind.FAILURE)
                    || block.has(Block.Kind.ATTACHMENT)
                    || block.has(Block.Kind.FROM);
            return compared || block.has(Block.Kind.NOT_COMPARED)
                    ? Optional.empty()
                    : Optional.of(
                            "say before the block what the text is: <!-- output -->, <!-- failure of FILE#METHOD -->,"
                                    + " <!-- attachment NAME of FILE#METHOD -->, or <!-- not compared: REASON -->");
        }
        if (!isCode(block) && !block.has(Block.Kind.NOT_RUN)) {
            return Optional.of("say before the block which file it is: <!-- from FILE#REGION -->"
                    + (CODE.contains(language) ? "" : ", or why it is not run: <!-- not run: REASON -->"));
        }
        return Optional.empty();
    }

    private static boolean isCode(Block block) {
        return block.has(Block.Kind.FROM) || block.has(Block.Kind.IMPORTS);
    }

    private Optional<List<String>> source(Page page, Block block) {
        if (block.has(Block.Kind.IMPORTS)) {
            return Optional.of(ExampleFile.of(root, page).content());
        }
        if (block.has(Block.Kind.FROM)) {
            return block.says(Block.Kind.FROM).map(place -> SourceRegion.read(root, place));
        }
        if (block.has(Block.Kind.FAILURE)) {
            return block.says(Block.Kind.FAILURE)
                    .map(place -> Shown.trimmed(fixtures.failure(place).lines().toList()));
        }
        return block.says(Block.Kind.ATTACHMENT)
                .map(place -> Shown.trimmed(fixtures.attachment(place).lines().toList()));
    }

    private static boolean same(Block block, List<String> source) {
        return isCode(block)
                ? block.content().equals(source)
                : Shown.matches(block.content(), String.join("\n", source));
    }

    static String difference(Block block, List<String> source) {
        int line = 0;
        while (line < block.content().size()
                && line < source.size()
                && Shown.matches(block.content().subList(line, line + 1), source.get(line))) {
            line++;
        }
        return "the block differs from its source at its line " + (line + 1) + "\n  shown:  "
                + (line < block.content().size() ? block.content().get(line) : "(the end)") + "\n  source: "
                + (line < source.size() ? source.get(line) : "(the end)")
                + "\n  -Dupdate.docs=true writes the source into the page";
    }

    /** Returns the broken links in a page and out of it. Checks the form of web addresses without visiting them. */
    List<String> links(Page page) {
        List<String> problems = new ArrayList<>();
        page.links()
                .forEach((target, line) ->
                        link(page, target).ifPresent(problem -> problems.add(page.at(line) + problem)));
        return problems;
    }

    private Optional<String> link(Page page, String target) {
        if (target.matches("[a-z]+:.*")) {
            return address(target);
        }
        String path = URLDecoder.decode(target.replaceFirst("#.*", ""), StandardCharsets.UTF_8);
        Path file =
                path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
        if (!file.startsWith(root) || !Files.exists(file)) {
            return Optional.of("the link " + target + " leads to no file");
        }
        if (target.contains("#") && file.toString().endsWith(".md")) {
            Set<String> anchors = Page.read(file).anchors();
            String anchor = target.substring(target.indexOf('#') + 1);
            if (!anchors.contains(anchor)) {
                return Optional.of("the link " + target + " leads to no heading; there are " + anchors);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> address(String target) {
        try {
            URI address = new URI(target);
            return address.getScheme().equals("mailto") || address.getHost() != null
                    ? Optional.empty()
                    : Optional.of("the link " + target + " has no host");
        } catch (URISyntaxException e) {
            return Optional.of("the link " + target + " is no address: " + e.getMessage());
        }
    }

    /** Returns long lines, ambiguous words, and names of missing files of this repository. */
    List<String> words(Page page) {
        List<String> problems = new ArrayList<>();
        for (Map.Entry<Integer, String> line : page.prose().entrySet()) {
            String text = line.getValue();
            if (text.length() > WIDTH && !text.strip().startsWith("|")) {
                problems.add(
                        page.at(line.getKey()) + "the line has " + text.length() + " characters; at most " + WIDTH);
            }
            VAGUE.matcher(text)
                    .results()
                    .forEach(word -> problems.add(page.at(line.getKey()) + "say who or what instead of \""
                            + word.group() + "\": " + text.strip()));
            FILE.matcher(text)
                    .results()
                    .map(file -> file.group(1))
                    .filter(file -> !file.contains("/target/") && !Files.exists(root.resolve(file)))
                    .forEach(file -> problems.add(page.at(line.getKey()) + "there is no file " + file));
        }
        return problems;
    }
}
