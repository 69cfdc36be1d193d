package rjvm.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A benchmark for {@code rjvm bench}: what the method executes is counted, to the bytecode. A method of an object is called on a
 * new one for which the constructor without parameters has done what is not to be counted; if it is {@code AutoCloseable}, it is
 * closed afterwards. Each benchmark has a VM of its own.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Bench {
    /** What it is called; if nothing is given, {@code com.acme.ParserBench::parse}. */
    String name() default "";

    /**
     * How often the method is called before it is measured, so that classes are loaded and call sites linked. -1: as often as the
     * command line says, once by default.
     */
    int warmups() default -1;

    /** Values for its one parameter (a primitive type or String): each makes a benchmark. */
    String[] args() default {};

    /** Limits beside those of the command line, as {@code rjvm profile diff} has them: {@code "1%"}, {@code "<=12_031 calls"}. */
    String[] limits() default {};
}
