/** invokespecial in an interface: receivers that do not implement it, which the verifier does not see, are refused at each call. */
public class SpecialInInterface {
    public interface Base { default String m() { return "Base.m of " + getClass().getSimpleName(); } }
    static Asm.Loader loader() {
        Asm j = new Asm(55, "J", "java/lang/Object", Asm.PUBLIC | Asm.INTERFACE | Asm.ABSTRACT).implement("SpecialInInterface$Base");
        j.code(Asm.PRIVATE, "p", "()I", 1, 1).op(8, 0xac).end();
        j.code(Asm.PUBLIC | Asm.STATIC, "own", "(Ljava/lang/Object;)I", 1, 1).op(0x2a).ref(0xb7, j.imethod("J", "p", "()I")).op(0xac).end();
        j.code(Asm.PUBLIC | Asm.STATIC, "inherited", "(Ljava/lang/Object;)Ljava/lang/Object;", 1, 1).op(0x2a).ref(0xb7, j.imethod("SpecialInInterface$Base", "m", "()Ljava/lang/String;")).op(0xb0).end();
        j.code(Asm.PUBLIC | Asm.STATIC, "object", "(Ljava/lang/Object;)Ljava/lang/Object;", 1, 1).op(0x2a).ref(0xb7, j.imethod("J", "getClass", "()Ljava/lang/Class;")).op(0xb0).end();
        j.code(Asm.PUBLIC | Asm.STATIC, "plain", "(Ljava/lang/Object;)I", 1, 1).op(0x2a).ref(0xb7, j.method("java/lang/Object", "hashCode", "()I")).op(0x57, 4, 0xac).end();
        // a constructor's receiver is none of them
        j.code(Asm.PUBLIC | Asm.STATIC, "make", "(Ljava/lang/Object;)Ljava/lang/Object;", 2, 1).ref(0xbb, j.cls("java/lang/StringBuilder")).op(0x59).ref(0xb7, j.method("java/lang/StringBuilder", "<init>", "()V")).op(0xb0).end();
        return new Asm.Loader().add(j, new Asm(55, "Q").init().implement("J"));
    }
    public static void main(String[] args) throws Exception {
        for (boolean first : new boolean[] {true, false}) {
            Asm.Loader l = loader();
            Object good = l.loadClass("Q").getConstructor().newInstance();
            Object[] rs = first ? new Object[] {good, "text", null, good, new int[0], new Base() { }} : new Object[] {"text", null, "text", good, "text", good};
            for (String m : new String[] {"own", "inherited", "object", "plain", "make"})
                for (Object r : rs) Asm.show(m + " " + (r == null ? null : r.getClass().getSimpleName()), l, "J", m, r);
        }
    }
}
