package rjvm.test;

/** Runs a test under many schedules, where the VM can. */
public final class Explorer {
    private Explorer() {
    }

    /** Can it? */
    public static boolean supported() {
        try {
            return supported0();
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    private static native boolean supported0();
}
