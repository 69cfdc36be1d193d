package rjvm.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import rjvm.test.junit.RjvmExtension;

/**
 * The test method, with all that it calls, executes at most so many bytecodes. On a JVM other than rjvm nothing is counted, and the
 * test is run as if the annotation were not there.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(RjvmExtension.class)
public @interface BytecodeBudget {
    /** Bytecodes at most. */
    long max();

    /** Loading and initializing classes and linking call sites, which the first test that uses them does, count as well. */
    boolean loading() default false;

    /** Those that other threads execute meanwhile count as well. */
    boolean allThreads() default false;
}
