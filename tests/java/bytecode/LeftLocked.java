/** Errors for monitors that a frame leaves held have their stack trace, also where the heap is full just then. */
public class LeftLocked {
    public static final Object lock = new Object();

    public static void boom() {
        throw new RuntimeException("boom");
    }

    public static void main(String[] args) throws Throwable {
        Asm a = new Asm(49, "L");
        a.code(Asm.STATIC, "leave", "()V", 6, 6)
            .ref(0xb2, a.field("LeftLocked", "lock", "Ljava/lang/Object;")).op(0xc2)
            .ref(0xb8, a.method("LeftLocked", "boom", "()V")).op(0xb1).end();
        Asm.Loader l = new Asm.Loader().add(a);
        int thrown = 0, without = 0;
        for (int i = 0; i < 100_000; i++) {
            try {
                l.call("L", "leave");
            } catch (IllegalMonitorStateException e) {
                thrown++;
                without += e.getStackTrace().length == 0 ? 1 : 0;
            }
        }
        System.out.println(thrown + " thrown, " + without + " without a stack trace");
    }
}
