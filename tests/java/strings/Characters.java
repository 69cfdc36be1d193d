/** Character: classification, case mapping, digits, surrogates, names, numeric values across Unicode. */
public class Characters {
    public static void main(String[] args) {
        int[] cps = {'a', 'Z', '5', ' ', '\t', '\n', '_', '$', 0xe9, 0xdf, 0x130, 0x131, 0x1c5, 0x3a3, 0x3c2, 0x660, 0x2028, 0xa0, 0x2160, 0x4e2d, 0xac00, 0x1f600, 0x10400, 0x1d7d8, 0xd800, 0xffff, 0x10ffff, 0x300, 0x200b, 0xfeff, 0};
        for (int c : cps) {
            StringBuilder f = new StringBuilder();
            f.append(Character.isLetter(c) ? 'L' : '-').append(Character.isDigit(c) ? 'D' : '-').append(Character.isUpperCase(c) ? 'U' : '-').append(Character.isLowerCase(c) ? 'l' : '-').append(Character.isTitleCase(c) ? 'T' : '-')
                .append(Character.isWhitespace(c) ? 'W' : '-').append(Character.isSpaceChar(c) ? 'S' : '-').append(Character.isJavaIdentifierStart(c) ? 'J' : '-').append(Character.isJavaIdentifierPart(c) ? 'j' : '-').append(Character.isAlphabetic(c) ? 'A' : '-')
                .append(Character.isIdeographic(c) ? 'I' : '-').append(Character.isISOControl(c) ? 'C' : '-').append(Character.isDefined(c) ? 'd' : '-').append(Character.isMirrored(c) ? 'M' : '-').append(Character.isIdentifierIgnorable(c) ? 'i' : '-');
            System.out.println(Integer.toHexString(c) + " " + f + " type " + Character.getType(c) + " num " + Character.getNumericValue(c) + " dir " + Character.getDirectionality(c) + " up " + Integer.toHexString(Character.toUpperCase(c)) + " low " + Integer.toHexString(Character.toLowerCase(c)) + " title " + Integer.toHexString(Character.toTitleCase(c)) + " digit " + Character.digit(c, 16) + " chars " + Character.charCount(c));
        }
        long h = 0;
        for (int c = 0; c < 0x3000; c += 3) h = h * 31 + Character.getType(c) + Character.toUpperCase(c) + (Character.isLetterOrDigit(c) ? 1 : 0);
        System.out.println(h);
        System.out.println("straße ŉ ﬁ".toUpperCase(java.util.Locale.ROOT) + " " + "ΑΣ ΣΑΣ".toLowerCase(java.util.Locale.ROOT) + " " + "TITLE I".toLowerCase(new java.util.Locale("tr")) + " " + "i".toUpperCase(new java.util.Locale("tr")) + " " + "İ".toLowerCase(java.util.Locale.ROOT).length());
        System.out.println(Character.isSurrogatePair('\ud83d', '\ude00') + " " + Character.toCodePoint('\ud83d', '\ude00') + " " + (int) Character.highSurrogate(0x1f600) + " " + (int) Character.lowSurrogate(0x1f600) + " " + Character.toChars(0x1f600).length + " " + Character.toString(0x1f600) + " " + Character.isValidCodePoint(0x110000) + Character.isBmpCodePoint(0x1f600));
        System.out.println(Character.forDigit(11, 16) + " " + (int) Character.forDigit(16, 16) + " " + Character.digit('z', 36) + " " + Character.digit('９', 10) + " " + Character.reverseBytes('\u1234') + " " + Character.compare('a', 'b') + " " + Character.valueOf('x').compareTo('z') + " " + Character.hashCode('q'));
        System.out.println(Character.getName('a') + " | " + Character.getName(0x1f600) + " | " + Character.UnicodeBlock.of('α') + " | " + Character.UnicodeScript.of('я') + " | " + Character.codePointOf("GREEK SMALL LETTER PI") + " | " + Character.UnicodeBlock.forName("Basic Latin"));
    }
}
