/** Stack instructions that javac never or seldom emits: swap, dup2_x1, dup2_x2 on both forms, pop2, nop, ldc_w for small constants. */
public class StackOps {
    static Asm.Code digits(Asm.Code c, int n) {
        for (int i = 1; i < n; i++) c.op(0x5f, 0x10, 10, 0x68, 0x60); // swap, bipush 10, imul, iadd: folds the stack from the top
        return c.op(0xac);
    }

    public static void main(String[] args) {
        Asm a = new Asm(49, "Ops");
        int[][] programs = {
            {0x04, 0x05, 0x5f},                                     // 1 2 swap
            {0x04, 0x59},                                           // dup
            {0x04, 0x05, 0x5a},                                     // dup_x1
            {0x04, 0x05, 0x06, 0x5b},                               // dup_x2
            {0x04, 0x05, 0x5c},                                     // dup2
            {0x04, 0x05, 0x06, 0x5d},                               // dup2_x1
            {0x04, 0x05, 0x06, 0x07, 0x5e},                         // dup2_x2
            {0x04, 0x05, 0x06, 0x07, 0x58},                         // pop2
            {0x04, 0x05, 0x00, 0x57, 0x00},                         // pop among nops
            {0x04, 0x05, 0x06, 0x5d, 0x5f, 0x5b, 0x57},             // a mixture
            {0x04, 0x05, 0x06, 0x07, 0x08, 0x5e, 0x58, 0x5a, 0x5f}, // another
        };
        int[] depth = {2, 2, 3, 4, 4, 5, 6, 2, 1, 5, 6};
        for (int i = 0; i < programs.length; i++) digits(a.code(Asm.STATIC, "p" + i, "()I", 10, 0).op(programs[i]), depth[i]).end();
        // long forms: the long's decimal digits are told apart by adding pieces
        int l7 = a.longs(7_000_000_000L), l3 = a.longs(300);
        a.code(Asm.STATIC, "dup2long", "()J", 8, 0).ref(0x14, l7).op(0x5c, 0x61, 0xad).end();
        a.code(Asm.STATIC, "dup2x1long", "()J", 8, 0).op(0x08).ref(0x14, l7).op(0x5d, 0x58, 0x85, 0x61, 0xad).end();             // 5 L -> L 5 L; pop2; i2l; ladd
        a.code(Asm.STATIC, "dup2x2long", "()J", 10, 0).ref(0x14, l3).ref(0x14, l7).op(0x5e, 0x65, 0x65, 0xad).end();            // a b -> b a b: b - (a - b)
        a.code(Asm.STATIC, "dup2x2ints", "()J", 10, 0).op(0x05, 0x06).ref(0x14, l7).op(0x5e, 0x58, 0x68, 0x85, 0x61, 0xad).end(); // 2 3 L -> L 2 3 L
        a.code(Asm.STATIC, "dupx2long", "()J", 8, 0).ref(0x14, l3).op(0x08, 0x5b, 0x57, 0x58, 0x85, 0xad).end(); // L 5 -> 5 L 5
        a.code(Asm.STATIC, "dup2x2mixed", "()J", 10, 0).ref(0x14, l3).op(0x05, 0x06, 0x5e, 0x60, 0x85, 0x61, 0x5c, 0x58, 0x88, 0x60, 0x60, 0x85, 0xad).end();
        a.code(Asm.STATIC, "ldc", "()I", 4, 0).ref(0x13, a.integer(70000)).op(0x12, a.integer(-1)).op(0x60, 0xac).end();
        a.code(Asm.STATIC, "iinc", "(I)I", 2, 300).op(0x1a).op(0xc4, 0x36).u2(299).op(0xc4, 0x84).u2(299).u2(-30000).op(0xc4, 0x84).u2(299).u2(7).op(0xc4, 0x15).u2(299).op(0x84, 0, 0x80, 0x1a, 0x60, 0xac).end();
        a.code(Asm.STATIC, "wideLow", "(JD)J", 6, 4).op(0xc4, 0x16).u2(0).op(0xc4, 0x18).u2(2).op(0x8f, 0x61, 0xc4, 0x37).u2(0).op(0x1e, 0xad).end();
        a.code(Asm.STATIC, "refs", "()Ljava/lang/Object;", 6, 1).op(0x01, 0x12, a.string("top")).op(0x5f, 0x57, 0x59, 0x4b, 0x57, 0x2a, 0xb0).end();
        Asm.Loader l = new Asm.Loader().add(a);
        for (int i = 0; i < programs.length; i++) Asm.show("p" + i, l, "Ops", "p" + i);
        for (String m : new String[] {"dup2long", "dup2x1long", "dup2x2long", "dup2x2ints", "dupx2long", "dup2x2mixed", "ldc", "refs"}) Asm.show(m, l, "Ops", m);
        Asm.show("iinc", l, "Ops", "iinc", 5);
        Asm.show("wideLow", l, "Ops", "wideLow", 100L, 2.5);
    }
}
