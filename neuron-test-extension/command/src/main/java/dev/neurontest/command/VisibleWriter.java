package dev.neurontest.command;

import dev.neurontest.text.VisibleText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/** What a command prints: names and logs come from anywhere, and nothing of them moves the cursor of the terminal. */
final class VisibleWriter extends FilterWriter {

    private VisibleWriter(Writer terminal) {
        super(terminal);
    }

    static PrintWriter on(Writer terminal) {
        return new PrintWriter(new VisibleWriter(terminal), true);
    }

    @Override
    public void write(int character) throws IOException {
        write(String.valueOf((char) character), 0, 1);
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
        write(new String(characters, offset, length), 0, length);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        out.write(VisibleText.of(text.substring(offset, offset + length)));
    }
}
