import java.nio.*;
import java.nio.charset.*;
import java.util.*;

/** Encoding and decoding: UTF-8, UTF-16, Latin-1, ASCII, windows-1252; malformed and unmappable input; coders by hand. */
public class Charsets {
    static String hex(byte[] b) {
        StringBuilder s = new StringBuilder();
        for (byte x : b) s.append(Character.forDigit(x >> 4 & 15, 16)).append(Character.forDigit(x & 15, 16));
        return s.toString();
    }

    static String show(String s) {
        StringBuilder r = new StringBuilder();
        for (char c : s.toCharArray()) r.append(c < 32 || c > 126 ? "\\u" + Integer.toHexString(c) : String.valueOf(c));
        return r.toString();
    }

    public static void main(String[] args) throws Exception {
        String[] texts = {"plain", "Grüße", "€ 5", "日本", "😀", "\ud800", "x\udc00y", "\u0000\u007f\u0080\u07ff\u0800\uffff", ""};
        Charset[] sets = {StandardCharsets.UTF_8, StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII, Charset.forName("windows-1252"), Charset.forName("UTF-32")};
        for (String t : texts) {
            System.out.println(show(t));
            for (Charset c : sets) {
                byte[] b = t.getBytes(c);
                System.out.println("  " + c + " " + hex(b) + " " + new String(b, c).equals(t));
            }
        }
        byte[][] bad = {{(byte) 0xc3}, {(byte) 0xc3, 'a'}, {(byte) 0x80}, {(byte) 0xe2, (byte) 0x82}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, {(byte) 0xf0, (byte) 0x9f, (byte) 0x98, 'z'}, {(byte) 0xc0, (byte) 0x80}, {(byte) 0xff, 'a', (byte) 0xfe}, {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80}};
        for (byte[] b : bad) {
            String s = new String(b, StandardCharsets.UTF_8);
            String strict;
            try {
                strict = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b)).toString();
            } catch (CharacterCodingException e) {
                strict = e.getClass().getSimpleName() + " " + e.getMessage();
            }
            System.out.println(hex(b) + " " + show(s) + " " + strict);
        }
        try {
            StandardCharsets.US_ASCII.newEncoder().encode(CharBuffer.wrap("aé"));
        } catch (UnmappableCharacterException e) {
            System.out.println(e.getMessage() + " " + e.getInputLength());
        }
        CharsetEncoder enc = StandardCharsets.ISO_8859_1.newEncoder().onUnmappableCharacter(CodingErrorAction.REPLACE).replaceWith(new byte[] {'#'});
        System.out.println(hex(Arrays.copyOf(enc.encode(CharBuffer.wrap("a€b")).array(), 3)) + " " + enc.canEncode('é') + enc.canEncode('€') + " " + enc.maxBytesPerChar());
        CharsetDecoder dec = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.IGNORE);
        CharBuffer out = CharBuffer.allocate(3);
        ByteBuffer in = ByteBuffer.wrap("aé😀z".getBytes(StandardCharsets.UTF_8));
        List<String> steps = new ArrayList<>();
        CoderResult r;
        do {
            r = dec.decode(in, out, true);
            out.flip();
            steps.add(r + ":" + show(out.toString()) + ":" + in.position());
            out.clear();
        } while (r.isOverflow());
        System.out.println(steps + " " + dec.flush(out));
        System.out.println(Charset.forName("utf8") == StandardCharsets.UTF_8 ? "alias" : "no");
        System.out.println(Charset.isSupported("ISO-8859-15") + " " + Charset.isSupported("x-none") + " " + StandardCharsets.UTF_8.aliases().contains("unicode-1-1-utf-8") + " " + StandardCharsets.UTF_16.contains(StandardCharsets.UTF_8) + " " + Charset.defaultCharset());
        for (String name : new String[] {"no such", "x-none", ""}) {
            try {
                Charset.forName(name);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
        try {
            "x".getBytes("none");
        } catch (java.io.UnsupportedEncodingException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("ÿ".getBytes("Cp437").length + " " + hex("Я".getBytes("KOI8-R")) + " " + hex("あ".getBytes("Shift_JIS")) + " " + hex("中".getBytes("GBK")) + " " + new String(new byte[] {(byte) 0xa4}, "ISO-8859-15"));
    }
}
