package rjvm.agent;

/**
 * Makes the identifiers of methods. The system property {@code org.jp.MIDFactory} names a class of
 * the class path that does, with a constructor without parameters; without it they are
 * {@link MIDImpl}s.
 */
public interface MIDFactory {
    /**
     * The identifier of a method; called once for each.
     *
     * @param c the class as the agent sees it, which is not initialised for this; null if the agent's
     *     class path has none of that name (hidden classes, classes of the program's own loaders)
     * @param mns name and descriptor: {@code charAt(I)C}
     */
    MID getMID(Class<?> c, String mns);
}
