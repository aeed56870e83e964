package dev.neurontest.profile.event;

/** A text that is kept until the next one comes, cut, without a string for each. */
final class EventCharacters {

    static final int KEPT = 300;

    private final char[] characters = new char[KEPT];
    private int length;
    private boolean cut;

    void clear() {
        length = 0;
        cut = false;
    }

    void set(char[] buffer, int start, int count) {
        length = Math.min(count, KEPT);
        cut = count > KEPT;
        System.arraycopy(buffer, start, characters, 0, length);
    }

    static String of(String text) {
        EventCharacters characters = new EventCharacters();
        characters.set(text.toCharArray(), 0, text.length());
        return characters.toString();
    }

    @Override
    public String toString() {
        return new String(characters, 0, length) + (cut ? "..." : "");
    }
}
