package rjvm.test;

/** Something that is run and measured. */
@FunctionalInterface
public interface Body {
    /** Runs it. */
    Object run() throws Throwable;
}
