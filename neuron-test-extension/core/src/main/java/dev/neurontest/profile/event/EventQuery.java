package dev.neurontest.profile.event;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Which instructions of a profile are asked about. Conditions look at one field of an instruction each and are combined with
 * {@link #and} and {@link #or}. A condition on a field that an instruction does not have is not met.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EventQuery {

    /** What an instruction of the full json says about itself in words. */
    enum Field {
        ENGINE,
        OPCODE,
        COMPILER_OPCODE,
        LAYER,
        LINE,
        HLO_NAME;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One condition, or several that all or of which one must be met. */
    sealed interface Node {}

    /** The field is the text, or contains it in any case of letters. */
    record Condition(Field field, boolean whole, String text) implements Node {

        Condition {
            Objects.requireNonNull(text, "text");
            if (text.isEmpty()) {
                throw new IllegalArgumentException("The %s to look for is empty.".formatted(field.text()));
            }
        }

        boolean isMetBy(String value) {
            return whole ? value.equals(text) : containsIgnoringCase(value);
        }

        private boolean containsIgnoringCase(String value) {
            int last = value.length() - text.length();
            for (int start = 0; start <= last; start++) {
                if (value.regionMatches(true, start, text, 0, text.length())) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String toString() {
            return "%s %s \"%s\"".formatted(field.text(), whole ? "is" : "contains", text);
        }
    }

    /** All of them must be met. */
    record All(List<Node> nodes) implements Node {

        @Override
        public String toString() {
            return joined(nodes, " and ");
        }
    }

    /** One of them must be met. */
    record Any(List<Node> nodes) implements Node {

        @Override
        public String toString() {
            return joined(nodes, " or ");
        }
    }

    private final Node node;

    private EventQuery(Node node) {
        this.node = node;
    }

    private static String joined(List<Node> nodes, String word) {
        return nodes.stream()
                .map(each -> each instanceof Condition ? each.toString() : "(" + each + ")")
                .collect(Collectors.joining(word));
    }

    private static EventQuery is(Field field, String text) {
        return new EventQuery(new Condition(field, true, text));
    }

    private static EventQuery contains(Field field, String text) {
        return new EventQuery(new Condition(field, false, text));
    }

    /**
     * Transposes, read tolerantly: {@code opcode} or {@code compiler_opcode} contains "transpose". The full json has no certain
     * mark for them, so transposes that the Tensor Engine makes by ordinary matrix multiplications are not found.
     *
     * @return the query
     */
    public static EventQuery transposes() {
        return opcodeContains("transpose").or(compilerOpcodeContains("transpose"));
    }

    /**
     * Instructions of an engine.
     *
     * @param engine all of its name, such as {@code TensorMatrix}
     * @return the query
     */
    public static EventQuery engine(String engine) {
        return is(Field.ENGINE, engine);
    }

    /**
     * Instructions of engines whose name contains a text.
     *
     * @param part in upper or lower case
     * @return the query
     */
    public static EventQuery engineContains(String part) {
        return contains(Field.ENGINE, part);
    }

    /**
     * Instructions with an opcode.
     *
     * @param opcode all of it, such as {@code MATMUL}
     * @return the query
     */
    public static EventQuery opcode(String opcode) {
        return is(Field.OPCODE, opcode);
    }

    /**
     * Instructions whose opcode contains a text.
     *
     * @param part in upper or lower case
     * @return the query
     */
    public static EventQuery opcodeContains(String part) {
        return contains(Field.OPCODE, part);
    }

    /**
     * Instructions with an opcode of the compiler ({@code compiler_opcode}).
     *
     * @param opcode all of it
     * @return the query
     */
    public static EventQuery compilerOpcode(String opcode) {
        return is(Field.COMPILER_OPCODE, opcode);
    }

    /**
     * Instructions whose opcode of the compiler ({@code compiler_opcode}) contains a text.
     *
     * @param part in upper or lower case
     * @return the query
     */
    public static EventQuery compilerOpcodeContains(String part) {
        return contains(Field.COMPILER_OPCODE, part);
    }

    /**
     * Instructions of a layer.
     *
     * @param layer all of its name
     * @return the query
     */
    public static EventQuery layer(String layer) {
        return is(Field.LAYER, layer);
    }

    /**
     * Instructions of layers whose name contains a text.
     *
     * @param part in upper or lower case
     * @return the query
     */
    public static EventQuery layerContains(String part) {
        return contains(Field.LAYER, part);
    }

    /**
     * Instructions of a source line.
     *
     * @param line all of it as the profile writes it, such as {@code attention.py:120}; see {@link ProfileEvents#byLine()}
     * @return the query
     */
    public static EventQuery line(String line) {
        return is(Field.LINE, line);
    }

    /**
     * Instructions of source lines that contain a text, such as those of one file.
     *
     * @param part in upper or lower case
     * @return the query
     */
    public static EventQuery lineContains(String part) {
        return contains(Field.LINE, part);
    }

    /**
     * Instructions of an HLO operation.
     *
     * @param name all of {@code hlo_name}, such as {@code %add.1 = add(%dot, %custom-call.44)}
     * @return the query
     */
    public static EventQuery hloName(String name) {
        return is(Field.HLO_NAME, name);
    }

    /**
     * Instructions of HLO operations whose name contains a text.
     *
     * @param part in upper or lower case
     * @return the query
     */
    public static EventQuery hloNameContains(String part) {
        return contains(Field.HLO_NAME, part);
    }

    /**
     * Instructions that both queries find.
     *
     * @param other the other query
     * @return the query
     */
    public EventQuery and(EventQuery other) {
        return new EventQuery(new All(List.of(node, other.node)));
    }

    /**
     * Instructions that one of the queries finds.
     *
     * @param other the other query
     * @return the query
     */
    public EventQuery or(EventQuery other) {
        return new EventQuery(new Any(List.of(node, other.node)));
    }

    Node node() {
        return node;
    }

    Stream<Condition> conditions() {
        return conditions(node);
    }

    private static Stream<Condition> conditions(Node node) {
        if (node instanceof All all) {
            return all.nodes().stream().flatMap(EventQuery::conditions);
        }
        if (node instanceof Any any) {
            return any.nodes().stream().flatMap(EventQuery::conditions);
        }
        return Stream.of((Condition) node);
    }

    /**
     * Queries are equal when they were put together in the same way.
     *
     * @param other anything
     * @return whether it asks the same
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof EventQuery query && query.node.equals(node);
    }

    @Override
    public int hashCode() {
        return node.hashCode();
    }

    /**
     * The query in words.
     *
     * @return such as {@code opcode is "MATMUL" and layer contains "attention"}
     */
    @Override
    public String toString() {
        return node.toString();
    }
}
