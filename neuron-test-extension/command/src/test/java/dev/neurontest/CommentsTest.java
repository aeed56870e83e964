package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests of the words of comments, messages and pages: see "Style" in CONTRIBUTING.md. */
class CommentsTest {

    private static final Path REPOSITORY = Path.of("..", "..");
    private static final List<String> MODULES = List.of(
            "fake-sysfs",
            "neuron-test-extension/core",
            "neuron-test-extension/junit",
            "neuron-test-extension/command",
            "neuron-test-extension/maven-plugin");

    /** First words that make a comment unclear. */
    private static final Set<String> UNCLEAR_FIRST_WORDS =
            Set.of("What", "How", "Whether", "Which", "Why", "Who", "Where", "Nothing");

    /** Words and phrases that comments, messages and pages must not contain, because they make a sentence vague. */
    private static final Pattern WORDS = Pattern.compile(
            "(?i)\\b((no|some|any|every)body|who(m|ever)|meanwhile|all the same|nothing of|such a one)\\b");

    private static final Pattern FIRST_WORD = Pattern.compile("\\s*([A-Za-z]+)");

    private static Set<String> verbs;

    private static final List<Comment> COMMENTS = new ArrayList<>();

    /** A line of a source or page. */
    private record Line(String place, String text) {
        @Override
        public String toString() {
            return place + ": " + text;
        }
    }

    private static final List<Line> LINES = new ArrayList<>();

    /** Members of public packages that are annotated as internal but lack {@code @hidden}. Javadoc shows them. */
    private static final List<Line> SHOWN = new ArrayList<>();

    /** Methods of the API without a comment, or with a comment without a tag for a parameter or for the returned value. */
    private static final List<Line> UNDOCUMENTED = new ArrayList<>();

    private enum Kind {
        TYPE,
        METHOD,
        ELEMENT_OF_ANNOTATION,
        VARIABLE
    }

    /**
     * The Javadoc of a type, method or variable.
     *
     * @param isPublic whether the declaration is public or protected
     * @param isInternal whether it is annotated as internal
     * @param imports the internal types that the file imports, by their simple names
     */
    private record Comment(
            String place, Kind kind, boolean isPublic, boolean isInternal, Set<String> imports, String text) {

        String firstWord() {
            Matcher word = FIRST_WORD.matcher(text);
            return word.lookingAt() ? word.group(1) : "";
        }

        boolean isOfApi() {
            return !place.contains("/internal/");
        }

        @Override
        public String toString() {
            return place + ": " + text.strip().lines().findFirst().orElse("");
        }
    }

    @BeforeAll
    static void read() throws IOException {
        try (InputStream list = Objects.requireNonNull(CommentsTest.class.getResourceAsStream("comment-verbs.txt"))) {
            verbs = Arrays.stream(new String(list.readAllBytes(), StandardCharsets.UTF_8).split("\\s+"))
                    .collect(Collectors.toSet());
        }
        List<File> sources = new ArrayList<>();
        for (String module : MODULES) {
            for (Path source : files(REPOSITORY.resolve(module).resolve("src/main/java"), ".java")) {
                sources.add(source.toFile());
                addLines(source);
            }
        }
        for (Path page : files(REPOSITORY.resolve("docs"), ".md")) {
            addLines(page);
        }
        for (String page : List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")) {
            addLines(REPOSITORY.resolve(page));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromFiles(sources));
            DocTrees trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(trees, unit).scan(unit, null);
            }
        }
        assertThat(COMMENTS).hasSizeGreaterThan(4000);
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    private static void addLines(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            LINES.add(new Line(
                    REPOSITORY.relativize(file) + ":" + (i + 1), lines.get(i).strip()));
        }
    }

    private static final class Scanner extends TreePathScanner<@Nullable Void, @Nullable Void> {

        private final DocTrees trees;
        private final CompilationUnitTree unit;
        private final Set<String> imports;

        Scanner(DocTrees trees, CompilationUnitTree unit) {
            this.trees = trees;
            this.unit = unit;
            this.imports = unit.getImports().stream()
                    .map(ImportTree::getQualifiedIdentifier)
                    .map(Tree::toString)
                    .filter(name -> name.matches("dev\\.neurontest\\.(fake\\.)?internal\\..*"))
                    .map(name -> name.substring(name.lastIndexOf('.') + 1))
                    .collect(Collectors.toSet());
        }

        @Override
        public @Nullable Void visitClass(ClassTree tree, @Nullable Void nothing) {
            add(tree, Kind.TYPE, tree.getModifiers());
            return super.visitClass(tree, nothing);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree tree, @Nullable Void nothing) {
            add(
                    tree,
                    isInside(Tree.Kind.ANNOTATION_TYPE) ? Kind.ELEMENT_OF_ANNOTATION : Kind.METHOD,
                    tree.getModifiers());
            addUndocumented(tree);
            return super.visitMethod(tree, nothing);
        }

        /** Adds missing comments and tags, as doclint defines them, for members of the API alone. */
        private void addUndocumented(MethodTree tree) {
            if (!isOfApi(tree)) {
                return;
            }
            @Nullable DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
            List<String> tags = new ArrayList<>();
            boolean returns = tree.getReturnType() == null
                    || tree.getReturnType().toString().equals("void")
                    || isInside(Tree.Kind.ANNOTATION_TYPE);
            for (DocTree tag : comment == null ? List.<DocTree>of() : comment.getBlockTags()) {
                returns |= tag.getKind() == DocTree.Kind.RETURN;
                if (tag instanceof ParamTree param) {
                    tags.add(param.getName().toString());
                }
            }
            List<String> missing = new ArrayList<>(tree.getParameters().stream()
                    .map(parameter -> parameter.getName().toString())
                    .filter(name -> !tags.contains(name))
                    .map("@param "::concat)
                    .toList());
            if (!returns) {
                missing.add("@return");
            }
            if (comment == null || !missing.isEmpty()) {
                UNDOCUMENTED.add(new Line(place(tree), tree.getName() + " " + missing));
            }
        }

        private boolean isOfApi(MethodTree tree) {
            boolean isVisible = isPublic(tree.getModifiers()) && !isInternal(tree.getModifiers());
            boolean overrides = tree.getModifiers().getAnnotations().stream()
                    .anyMatch(each -> each.toString().startsWith("@Override"));
            for (Tree outer : getCurrentPath().getParentPath()) {
                if (outer instanceof ClassTree type) {
                    isVisible &= type.getModifiers().getFlags().contains(Modifier.PUBLIC)
                            && !isInternal(type.getModifiers());
                }
            }
            // The parameters of constructors of records are documented on the record.
            boolean isRecordConstructor = tree.getReturnType() == null && isInside(Tree.Kind.RECORD);
            return isVisible
                    && !overrides
                    && !isRecordConstructor
                    && !place(tree).contains("/internal/");
        }

        @Override
        public @Nullable Void visitVariable(VariableTree tree, @Nullable Void nothing) {
            add(tree, Kind.VARIABLE, tree.getModifiers());
            return super.visitVariable(tree, nothing);
        }

        private boolean isInside(Tree.Kind kind) {
            return getCurrentPath().getParentPath().getLeaf().getKind() == kind;
        }

        private void add(Tree tree, Kind kind, ModifiersTree modifiers) {
            @Nullable String text = trees.getDocComment(getCurrentPath());
            boolean isOfApi = !place(tree).contains("/internal/");
            if (kind != Kind.TYPE && isOfApi && isInternal(modifiers) && (text == null || !text.contains("@hidden"))) {
                SHOWN.add(new Line(place(tree), kind + " is annotated as internal, but Javadoc shows it"));
            }
            if (text == null) {
                return;
            }
            COMMENTS.add(new Comment(place(tree), kind, isPublic(modifiers), isInternal(modifiers), imports, text));
        }

        private boolean isPublic(ModifiersTree modifiers) {
            Set<Modifier> flags = modifiers.getFlags();
            return flags.contains(Modifier.PUBLIC)
                    || flags.contains(Modifier.PROTECTED)
                    || isInside(Tree.Kind.INTERFACE)
                    || isInside(Tree.Kind.ANNOTATION_TYPE);
        }

        private static boolean isInternal(ModifiersTree modifiers) {
            return modifiers.getAnnotations().stream()
                    .anyMatch(each -> each.toString().contains("INTERNAL"));
        }

        private String place(Tree tree) {
            long line =
                    unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, tree));
            return unit.getSourceFile().getName().replaceFirst(".*/src/main/java/", "") + ":" + line;
        }
    }

    @Test
    void commentsOfPublicMethodsBeginWithAVerb() {
        // then
        assertThat(COMMENTS)
                .filteredOn(comment -> comment.kind() == Kind.METHOD && comment.isPublic())
                .hasSizeGreaterThan(1500)
                .filteredOn(comment -> !verbs.contains(comment.firstWord())
                        && !comment.text().strip().startsWith("@"))
                .as("comments that do not begin with a verb of comment-verbs.txt")
                .isEmpty();
    }

    @Test
    void noCommentBeginsWithUnclearWord() {
        // then
        assertThat(COMMENTS)
                .filteredOn(comment -> UNCLEAR_FIRST_WORDS.contains(comment.firstWord()))
                .isEmpty();
    }

    @Test
    void noLineHasForbiddenWord() {
        // then
        assertThat(LINES)
                .hasSizeGreaterThan(50_000)
                .filteredOn(line -> WORDS.matcher(line.text()).find())
                .isEmpty();
    }

    /**
     * Verifies that no comment links to an internal type. Javadoc has no page for it, and some links stop Javadoc of
     * JDK 17.
     */
    @Test
    void commentsOfTheApiLinkToNoInternalType() {
        // given
        Pattern links = Pattern.compile("(?:\\{@link(?:plain)?|@see|@throws|@exception)\\s+([\\w.]+)");

        // then
        assertThat(COMMENTS)
                .filteredOn(Comment::isOfApi)
                .allSatisfy(comment -> assertThat(links.matcher(comment.text())
                                .results()
                                .map(found -> found.group(1).split("\\.")[0]))
                        .as(comment.place())
                        .doesNotContainAnyElementsOf(comment.imports().isEmpty() ? Set.of("-") : comment.imports()));
        assertThat(COMMENTS)
                .filteredOn(Comment::isOfApi)
                .filteredOn(comment -> comment.text().matches("(?s).*dev\\.neurontest\\.(fake\\.)?internal\\..*"))
                .isEmpty();
    }

    @Test
    void methodsOfTheApiAreDocumented() {
        // then
        assertThat(UNDOCUMENTED).isEmpty();
    }

    @Test
    void internalMembersOfTheApiAreHiddenFromJavadoc() {
        // then
        assertThat(COMMENTS)
                .filteredOn(comment -> comment.isOfApi() && comment.isInternal())
                .hasSizeGreaterThan(100);
        assertThat(SHOWN).isEmpty();
    }
}
