package rjvm.agent;

/**
 * The exact profile of this program, switched by the program itself. On a JVM other than rjvm, and where the
 * profile can't be switched, nothing happens and every method returns {@code false}.
 *
 * <p>{@code rjvm --profile=exact --profile-from=api -o x.html ...} begins without; what was executed between calls of
 * {@link #start} and {@link #stop} is in the profile at the end.
 */
public final class Profile {
    private static final boolean SUPPORTED = isSupported();

    private Profile() {
    }

    private static boolean isSupported() {
        try {
            return supported0();
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    /** Records calling contexts from here on, those of calls that are under way too. Whether they are recorded now. */
    public static boolean start() {
        return SUPPORTED && switch0(true);
    }

    /** Records them no longer; what was counted stays. Whether that was so or is so now. */
    public static boolean stop() {
        return SUPPORTED && switch0(false);
    }

    /** Lets all counts begin again from 0. */
    public static boolean reset() {
        return SUPPORTED && reset0();
    }

    /** Whether contexts are recorded. */
    public static boolean isOn() {
        return SUPPORTED && on0();
    }

    private static native boolean supported0();

    private static native boolean switch0(boolean on);

    private static native boolean reset0();

    private static native boolean on0();
}
