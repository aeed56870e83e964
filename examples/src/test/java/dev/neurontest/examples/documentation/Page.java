package dev.neurontest.examples.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Markdown file: its blocks, its headings, its links and its prose. */
final class Page {

    private static final Pattern FENCE = Pattern.compile("(\\s*)```(\\w*)\\s*");
    private static final Pattern HEADING = Pattern.compile("#{1,6}\\s+(.*)");
    /** A link, which may begin on the line before. */
    private static final Pattern LINK = Pattern.compile("\\]\\(<?([^)\\s>]+)>?[^)]*\\)|^\\[[^\\]]+]:\\s*(\\S+)");

    private static final Pattern HTML_LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

    private final Path file;
    private final List<String> lines;
    private final List<Block> blocks = new ArrayList<>();
    private final Map<Integer, String> prose = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    private Page(Path file, List<String> lines) {
        this.file = file;
        this.lines = new ArrayList<>(lines);
        parse();
    }

    static Page read(Path file) {
        try {
            return new Page(file, Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void parse() {
        List<Block.Directive> directives = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher fence = FENCE.matcher(line);
            if (fence.matches()) {
                int first = i + 1;
                List<String> content = new ArrayList<>();
                for (i++; i < lines.size() && !lines.get(i).strip().equals("```"); i++) {
                    content.add(withoutIndent(lines.get(i), fence.group(1).length()));
                }
                if (i == lines.size()) {
                    problems.add(at(first) + "the block has no end");
                }
                blocks.add(new Block(fence.group(2), first, content, List.copyOf(directives)));
                directives.clear();
            } else if (line.strip().startsWith("<!--")) {
                StringBuilder comment = new StringBuilder(line.strip());
                int first = i + 1;
                while (comment.indexOf("-->") < 0 && i + 1 < lines.size()) {
                    comment.append('\n').append(lines.get(++i));
                }
                String text = comment.substring(4).replaceFirst("(?s)-->.*", "").strip();
                Block.Kind.read(text)
                        .ifPresentOrElse(
                                directives::add,
                                () -> problems.add(
                                        at(first) + "the comment \"" + text + "\" means nothing to the test: it knows"
                                                + " from FILE#REGION, imports, output, failure of FILE#METHOD, attachment NAME of FILE#METHOD,"
                                                + " exits with N, not run: REASON, not compared: REASON, setup"));
            } else {
                prose.put(i + 1, line);
                if (!line.isBlank() && directives.stream().anyMatch(d -> d.kind() != Block.Kind.SETUP)) {
                    problems.add(at(i + 1) + "a block is missing after the comment");
                    directives.clear();
                }
            }
        }
        if (!directives.isEmpty()) {
            problems.add(at(lines.size()) + "a block is missing after the comment");
        }
    }

    private static String withoutIndent(String line, int indent) {
        int blank = 0;
        while (blank < indent && blank < line.length() && line.charAt(blank) == ' ') {
            blank++;
        }
        return line.substring(blank);
    }

    Path file() {
        return file;
    }

    /** Returns the problems of the page itself. */
    List<String> problems() {
        return problems;
    }

    List<Block> blocks() {
        return blocks;
    }

    /** Returns the lines outside blocks and comments by their numbers. */
    Map<Integer, String> prose() {
        return prose;
    }

    int length() {
        return lines.size();
    }

    String at(int line) {
        return file.getFileName() + ":" + line + ": ";
    }

    /** Returns the anchors that GitHub gives to the headings. */
    Set<String> anchors() {
        Set<String> anchors = new TreeSet<>();
        Map<String, Integer> seen = new HashMap<>();
        prose.values().forEach(line -> {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = heading.group(1)
                        .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
                int times = seen.merge(anchor, 1, Integer::sum);
                anchors.add(times == 1 ? anchor : anchor + "-" + (times - 1));
            }
        });
        return anchors;
    }

    /** Returns the targets of links and pictures with their line numbers. */
    Map<String, Integer> links() {
        Map<String, Integer> links = new LinkedHashMap<>();
        prose.forEach((number, line) -> {
            String text = line.replaceAll("`[^`]*`", "");
            for (Pattern pattern : List.of(LINK, HTML_LINK)) {
                Matcher link = pattern.matcher(text);
                while (link.find()) {
                    String target = link.group(1) != null || link.groupCount() < 2 ? link.group(1) : link.group(2);
                    links.putIfAbsent(target, number);
                }
            }
        });
        return links;
    }

    /** Replaces the content of this block in the page. */
    void replace(Block block, List<String> content) {
        String indent = lines.get(block.line() - 1).replaceFirst("\\S.*", "");
        List<String> old =
                lines.subList(block.line(), block.line() + block.content().size());
        old.clear();
        old.addAll(content.stream()
                .map(line -> line.isEmpty() ? line : indent + line)
                .toList());
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        blocks.clear();
        prose.clear();
        problems.clear();
        parse();
    }
}
