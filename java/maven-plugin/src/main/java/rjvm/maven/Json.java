package rjvm.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON (RFC 8259): maps, lists, strings, numbers as {@code Double} or {@code Long}, booleans, null. */
final class Json {
    /** Nesting beyond this is an error, not a full stack. */
    private static final int DEPTH = 200;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    static Object read(Path file) throws IOException {
        return parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }

    static Object parse(String text) throws IOException {
        Json json = new Json(text);
        Object value = json.value();
        json.blanks();
        if (json.at != text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    private IOException wrong(String expected) {
        return new IOException("JSON: expected " + expected + " at character " + at);
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char next() throws IOException {
        blanks();
        if (at == text.length()) {
            throw wrong("a value");
        }
        return text.charAt(at);
    }

    private boolean skip(char c) throws IOException {
        if (next() != c) {
            return false;
        }
        at++;
        return true;
    }

    private void need(char c) throws IOException {
        if (!skip(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private Object value() throws IOException {
        if (++depth > DEPTH) {
            throw wrong("fewer than " + DEPTH + " levels");
        }
        Object value;
        switch (next()) {
            case '{':
                value = object();
                break;
            case '[':
                value = array();
                break;
            case '"':
                value = string();
                break;
            default:
                value = word();
        }
        depth--;
        return value;
    }

    private Map<String, Object> object() throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        need('{');
        if (skip('}')) {
            return map;
        }
        do {
            next();
            String name = string();
            need(':');
            map.put(name, value());
        } while (skip(','));
        need('}');
        return map;
    }

    private List<Object> array() throws IOException {
        List<Object> list = new ArrayList<>();
        need('[');
        if (skip(']')) {
            return list;
        }
        do {
            list.add(value());
        } while (skip(','));
        need(']');
        return list;
    }

    private String string() throws IOException {
        need('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escaped = at < text.length() ? text.charAt(at++) : 0;
            int plain = "\"\\/bfnrt".indexOf(escaped);
            if (plain >= 0) {
                out.append("\"\\/\b\f\n\r\t".charAt(plain));
            } else if (escaped == 'u' && at + 4 <= text.length()) {
                try {
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                } catch (NumberFormatException e) {
                    throw wrong("four digits");
                }
                at += 4;
            } else {
                throw wrong("an escape");
            }
        }
        throw wrong("'\"'");
    }

    private Object word() throws IOException {
        int from = at;
        while (at < text.length() && ",]} \t\r\n:".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        switch (word) {
            case "true":
                return true;
            case "false":
                return false;
            case "null":
                return null;
            default:
        }
        try {
            return Long.valueOf(word);
        } catch (NumberFormatException e) {
            // a fraction, or one of the hashes that are larger
        }
        try {
            return Double.valueOf(word);
        } catch (NumberFormatException e) {
            at = from;
            throw wrong("a value");
        }
    }

    /** What lies at a path of names; null if nothing does. */
    static Object at(Object value, String... names) {
        for (String name : names) {
            value = value instanceof Map ? ((Map<?, ?>) value).get(name) : null;
        }
        return value;
    }

    /** The text there; null if there is none. */
    static String text(Object value, String... names) {
        Object found = at(value, names);
        return found == null ? null : found.toString();
    }

    /** The list there, or an empty one. */
    static List<?> list(Object value, String... names) {
        Object found = at(value, names);
        return found instanceof List ? (List<?>) found : Collections.emptyList();
    }

    /** The number there, or 0. */
    static long number(Object value, String... names) {
        Object found = at(value, names);
        return found instanceof Number ? ((Number) found).longValue() : 0;
    }

    /** The text of a value, with two blanks for each level. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, "\n", out);
        return out.append('\n').toString();
    }

    private static void write(Object value, String line, StringBuilder out) {
        String inner = line + "  ";
        String comma = "";
        if (value instanceof Map) {
            out.append('{');
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                out.append(comma).append(inner);
                quote(entry.getKey().toString(), out);
                out.append(": ");
                write(entry.getValue(), inner, out);
                comma = ",";
            }
            out.append(comma.isEmpty() ? "" : line).append('}');
        } else if (value instanceof List) {
            out.append('[');
            for (Object element : (List<?>) value) {
                out.append(comma).append(inner);
                write(element, inner, out);
                comma = ",";
            }
            out.append(comma.isEmpty() ? "" : line).append(']');
        } else if (value instanceof String) {
            quote((String) value, out);
        } else {
            out.append(value);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
