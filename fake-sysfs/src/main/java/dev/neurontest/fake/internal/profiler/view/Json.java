package dev.neurontest.fake.internal.profiler.view;

/** Quoting of text in JSON. */
final class Json {

    private Json() {}

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            switch (each) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                default -> {
                    if (each < ' ') {
                        quoted.append("\\u00").append(Character.forDigit(each >> 4, 16));
                        quoted.append(Character.forDigit(each & 0xf, 16));
                    } else {
                        quoted.append(each);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
