/** Ends that native code brings about. */
public class Misuse {
    static native void end(int how);

    public static void main(String[] args) {
        System.loadLibrary("jnisuite");
        System.out.println("before");
        end(Integer.getInteger("how"));
        System.out.println("not reached");
    }
}
