/** Calls of JNI that {@code -Xcheck:jni} reports. */
public class Checked {
    static int number = 7;
    int own = 8;
    String name = "name";

    static native void warned(int how, Object object, byte[] bytes);

    static native void fatal(int how, Object object, byte[] bytes, Object[] objects);

    static int thrown() {
        throw new IllegalStateException("thrown");
    }

    static int nested() {
        warned(0, new Checked(), new byte[0]);
        return 1;
    }

    static int back() {
        return number;
    }

    public static void main(String[] args) {
        System.loadLibrary("jnisuite");
        int how = Integer.getInteger("how", -1);
        if (how >= 0) {
            System.out.println("before");
            fatal(how, new Checked(), new byte[10], new Object[2]);
            System.out.println("not reached");
            return;
        }
        for (how = 0; how < 16; how++) {
            System.out.println("case " + how);
            try {
                warned(how, new Checked(), new byte[10]);
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
