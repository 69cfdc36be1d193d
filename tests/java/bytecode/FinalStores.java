/** Stores to final fields outside the initializer, by class-file version (JVMS 6.5.putfield, putstatic). */
public class FinalStores {
    public static void main(String[] args) {
        for (int v : new int[] {50, 52, 53, 55, 61}) {
            Asm s = new Asm(v, "S").addField(Asm.STATIC | Asm.FINAL, "f", "I");
            s.code(Asm.STATIC, "m", "()I", 2, 0).op(8).ref(0xb3, s.field("S", "f", "I")).ref(0xb2, s.field("S", "f", "I")).op(0xac).end();
            s.code(Asm.STATIC, "<clinit>", "()V", 2, 0).op(7).ref(0xb3, s.field("S", "f", "I")).op(0xb1).end();
            Asm o = new Asm(v, "Other");
            o.code(Asm.STATIC, "m", "()I", 2, 0).op(8).ref(0xb3, o.field("S", "f", "I")).ref(0xb2, o.field("S", "f", "I")).op(0xac).end();
            Asm.Loader l = new Asm.Loader().add(s, o);
            for (int i = 0; i < 2; i++) Asm.show(v + " putstatic", l, "S", "m");
            for (int i = 0; i < 2; i++) Asm.show(v + " of another class", l, "Other", "m");

            Asm p = new Asm(v, "P").addField(Asm.FINAL, "f", "I").init();
            p.code(Asm.STATIC, "m", "()I", 2, 1).ref(0xbb, p.cls("P")).op(0x59).ref(0xb7, p.method("P", "<init>", "()V")).op(0x59, 0x4b, 8).ref(0xb5, p.field("P", "f", "I")).op(0x2a).ref(0xb4, p.field("P", "f", "I")).op(0xac).end();
            for (int i = 0; i < 2; i++) Asm.show(v + " putfield", new Asm.Loader().add(p), "P", "m");

            // in a method that the initializer calls
            Asm t = new Asm(v, "T").addField(Asm.STATIC | Asm.FINAL, "f", "I");
            t.code(Asm.STATIC, "<clinit>", "()V", 2, 0).ref(0xb8, t.method("T", "set", "()V")).op(0xb1).end();
            t.code(Asm.STATIC, "set", "()V", 2, 0).op(8).ref(0xb3, t.field("T", "f", "I")).op(0xb1).end();
            t.code(Asm.STATIC, "m", "()I", 2, 0).ref(0xb2, t.field("T", "f", "I")).op(0xac).end();
            Asm.show(v + " called by the initializer", new Asm.Loader().add(t), "T", "m");
        }
    }
}
