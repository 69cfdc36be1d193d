package rjvm.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import rjvm.test.junit.RjvmExtension;

/**
 * The test runs in a deterministic VM with this seed: clock, random numbers, identity hashes and the order of threads are the same
 * each time. {@code rjvm test} runs the tests of each seed in a VM of their own. On a JVM other than rjvm it does nothing.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@ExtendWith(RjvmExtension.class)
public @interface Deterministic {
    /** What random numbers, identity hashes and the like follow. */
    long seed() default 1;
}
