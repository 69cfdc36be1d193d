package java.util.logging;

/** A new class of a module of the boot loader that is not java.base. */
public class Extra {
    public static String call() {
        return Level.INFO + " " + new java.util.logging.fresh.More();
    }
}
