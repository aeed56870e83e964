package dev.neurontest.fake;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;

/** The exports of a 64-bit shared library, read from its table of dynamic symbols. */
final class ElfExportsFixture {

    private static final int SECTION_TABLE_AT = 0x28;
    private static final int SECTION_SIZE_AT = 0x3a;
    private static final int SECTION_COUNT_AT = 0x3c;
    private static final int DYNAMIC_SYMBOLS = 11;
    private static final int SYMBOL_BYTES = 24;
    private static final int FUNCTION = 2;

    private ElfExportsFixture() {}

    /** Returns the names of the exported functions. */
    static SortedSet<String> functions(Path library) throws IOException {
        ByteBuffer elf = ByteBuffer.wrap(Files.readAllBytes(library)).order(ByteOrder.LITTLE_ENDIAN);
        int table = (int) elf.getLong(SECTION_TABLE_AT);
        int size = elf.getShort(SECTION_SIZE_AT);
        SortedSet<String> names = new TreeSet<>();
        for (int i = 0; i < elf.getShort(SECTION_COUNT_AT); i++) {
            int section = table + i * size;
            if (elf.getInt(section + 4) != DYNAMIC_SYMBOLS) {
                continue;
            }
            int from = (int) elf.getLong(section + 0x18);
            int to = from + (int) elf.getLong(section + 0x20);
            int strings = (int) elf.getLong(table + elf.getInt(section + 0x28) * size + 0x18);
            for (int symbol = from; symbol < to; symbol += SYMBOL_BYTES) {
                boolean defined = elf.getShort(symbol + 6) != 0;
                if (defined && (elf.get(symbol + 4) & 0xf) == FUNCTION) {
                    names.add(text(elf, strings + elf.getInt(symbol)));
                }
            }
        }
        return names;
    }

    private static String text(ByteBuffer elf, int from) {
        int to = from;
        while (elf.get(to) != 0) {
            to++;
        }
        return new String(elf.array(), from, to - from, StandardCharsets.US_ASCII);
    }
}
