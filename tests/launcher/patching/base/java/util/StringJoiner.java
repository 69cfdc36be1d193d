package java.util;

/** Takes the place of the class library's own. */
public final class StringJoiner {
    private int parts;

    public StringJoiner(CharSequence delimiter) {
        this(delimiter, "", "");
    }

    public StringJoiner(CharSequence delimiter, CharSequence prefix, CharSequence suffix) {
    }

    public StringJoiner setEmptyValue(CharSequence emptyValue) {
        return this;
    }

    public StringJoiner add(CharSequence part) {
        parts++;
        return this;
    }

    public StringJoiner merge(StringJoiner other) {
        parts += other.parts;
        return this;
    }

    public int length() {
        return parts;
    }

    public static String call() {
        return String.join("+", List.of("a", "b")) + new StringJoiner(",").add("x").add("y").length();
    }

    @Override
    public String toString() {
        return "joined " + parts;
    }
}
