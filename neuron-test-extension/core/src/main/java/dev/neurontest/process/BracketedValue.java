package dev.neurontest.process;

/**
 * How far a value in brackets has been read; it may go on in the next line.
 *
 * @param depth how many brackets are open
 * @param end the position after the closing bracket and what is attached to it, or the length of the text when it is not in there
 */
record BracketedValue(int depth, int end) {

    static final BracketedValue CLOSED = new BracketedValue(0, 0);

    static boolean startAt(String text, int start) {
        return start < text.length() && "[{".indexOf(text.charAt(start)) >= 0;
    }

    boolean isOpen() {
        return depth > 0;
    }

    /** Goes on reading. Brackets in double quotes are text. */
    BracketedValue read(String text, int start) {
        int open = depth;
        for (int at = start; at < text.length(); at++) {
            switch (text.charAt(at)) {
                case '"' -> at = Redaction.quotedEnd(text, at + 1, "\"");
                case '[', '{' -> open++;
                case ']', '}' -> open--;
                default -> {}
            }
            if (open == 0) {
                return new BracketedValue(0, Redaction.bareEnd(text, at + 1, Redaction.ENDS));
            }
        }
        return new BracketedValue(open, text.length());
    }
}
