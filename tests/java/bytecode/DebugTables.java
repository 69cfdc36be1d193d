/** Malformed debugging tables of methods: ClassFormatError, not VerifyError. */
public class DebugTables {
    static Asm.Code code(Asm a) { return a.code(Asm.STATIC, "m", "(I)I", 1, 2).op(0x1a, 0x3c, 0x1b, 0xac); }
    static void variable(String table, int start, int length, int name, int index) {
        Asm a = new Asm(52, "T");
        int n = name == 0 ? a.utf8("x") : name, d = a.utf8("I");
        code(a).table(table, o -> { o.writeShort(1); o.writeShort(start); o.writeShort(length); o.writeShort(n); o.writeShort(d); o.writeShort(index); }).end();
        Asm.show(table + " " + start + "+" + length + " in " + index, new Asm.Loader().add(a), "T", "m", 5);
    }
    public static void main(String[] args) {
        for (String table : new String[] {"LocalVariableTable", "LocalVariableTypeTable"})
            for (int[] v : new int[][] {{0, 4, 0, 0}, {4, 0, 0, 0}, {3, 1, 0, 1}, {5, 0, 0, 0}, {65535, 1, 0, 0}, {0, 5, 0, 0}, {3, 2, 0, 0}, {0, 4, 0, 2}, {0, 4, 999, 0}})
                variable(table, v[0], v[1], v[2], v[3]);
        for (int line : new int[] {0, 3, 4, 65535}) {
            Asm a = new Asm(52, "T");
            code(a).table("LineNumberTable", o -> { o.writeShort(1); o.writeShort(line); o.writeShort(7); }).end();
            Asm.show("LineNumberTable " + line, new Asm.Loader().add(a), "T", "m", 5);
        }
    }
}
