package dev.neurontest.profile.summary;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads one JSON value out of a text, as forgiving as the tools are careless: {@code NaN} and its like are literals, keys may repeat.
 * Strings do not go on in the next line, so that a stray quotation mark ends where its line ends.
 */
final class JsonText {

    private static final int DEEPEST = 64;
    private static final String ENDS_LITERAL = ",:]}{[\"";

    private final String text;
    private int position;

    /** The names of all objects that are open, so that a failure can say how far it came. */
    private final List<String> names = new ArrayList<>();

    private int namesRead;
    private String lastName = "";
    private boolean committed;

    JsonText(String text, int position) {
        this.text = text;
        this.position = position;
    }

    /** An object with its members as they were written. */
    record Members(List<Member> members) {}

    /**
     * A name with what stands behind it.
     *
     * @param value {@link Members}, {@link Elements}, {@link String} or {@link Literal}
     * @param raw the value as it was written
     */
    record Member(String name, Object value, String raw) {}

    record Elements(List<Object> elements) {}

    /** A number, {@code NaN}, {@code true}: what stands without quotation marks. */
    record Literal(String text) {}

    /** The text is not what it began to be. */
    static final class Broken extends Exception {

        private static final long serialVersionUID = 1;
        private final int offset;
        private final String expected;

        Broken(int offset, String expected) {
            super(expected, null, false, false);
            this.offset = offset;
            this.expected = expected;
        }

        int offset() {
            return offset;
        }

        String expected() {
            return expected;
        }
    }

    int position() {
        return position;
    }

    /** How many names were read. */
    int namesRead() {
        return namesRead;
    }

    /** The last name that was read. */
    String lastName() {
        return lastName;
    }

    /** Whether some name that was read can only be one of a summary. */
    boolean isSummary() {
        return committed;
    }

    Members object() throws Broken {
        if (names.size() == DEEPEST) {
            throw new Broken(position, "less than " + DEEPEST + " objects and arrays in each other");
        }
        expect('{');
        List<Member> members = new ArrayList<>();
        if (next() == '}') {
            position++;
            return new Members(members);
        }
        while (true) {
            next();
            String name = string();
            names.add(name);
            namesRead++;
            lastName = name;
            committed |= SummaryReader.isOfSummary(name, names.size());
            next();
            expect(':');
            next();
            int start = position;
            Object value = value();
            members.add(new Member(name, value, text.substring(start, position)));
            names.remove(names.size() - 1);
            if (next() == '}') {
                position++;
                return new Members(members);
            }
            expect(',', "a comma or }");
        }
    }

    private Object value() throws Broken {
        return switch (next()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> literal();
        };
    }

    private Elements array() throws Broken {
        if (names.size() == DEEPEST) {
            throw new Broken(position, "less than " + DEEPEST + " objects and arrays in each other");
        }
        expect('[');
        names.add("[]");
        List<Object> elements = new ArrayList<>();
        if (next() != ']') {
            elements.add(value());
            while (next() != ']') {
                expect(',', "a comma or ]");
                elements.add(value());
            }
        }
        position++;
        names.remove(names.size() - 1);
        return new Elements(elements);
    }

    private Literal literal() throws Broken {
        int start = position;
        while (position < text.length()
                && text.charAt(position) > ' '
                && ENDS_LITERAL.indexOf(text.charAt(position)) < 0) {
            position++;
        }
        Literal literal = new Literal(text.substring(start, position));
        if (!SummaryNumber.isLiteral(literal.text())) {
            // A literal that the end of the text cut is a cut, not a strange word.
            throw new Broken(position == text.length() ? position : start, "a value");
        }
        return literal;
    }

    private String string() throws Broken {
        expect('"', "a name or a text in quotation marks");
        StringBuilder read = new StringBuilder();
        while (true) {
            char c = character("the end of the text in quotation marks");
            if (c == '"') {
                return read.toString();
            }
            if (c < ' ') {
                throw new Broken(position - 1, "the end of the text in quotation marks");
            }
            read.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() throws Broken {
        char c = character("what follows a backslash");
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case '"', '\\', '/' -> c;
            case 'u' -> {
                int code = 0;
                for (int digit = 0; digit < 4; digit++) {
                    int value = Character.digit(character("four hexadecimal digits"), 16);
                    if (value < 0) {
                        throw new Broken(position - 1, "four hexadecimal digits");
                    }
                    code = code * 16 + value;
                }
                yield (char) code;
            }
            default -> throw new Broken(position - 1, "what may follow a backslash");
        };
    }

    private char character(String expected) throws Broken {
        if (position == text.length()) {
            throw new Broken(position, expected);
        }
        return text.charAt(position++);
    }

    private void expect(char expected) throws Broken {
        expect(expected, String.valueOf(expected));
    }

    private void expect(char expected, String inWords) throws Broken {
        if (position == text.length() || text.charAt(position) != expected) {
            throw new Broken(position, inWords);
        }
        position++;
    }

    /** What comes after white space; the end is 0. */
    private char next() {
        while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        return position == text.length() ? 0 : text.charAt(position);
    }
}
