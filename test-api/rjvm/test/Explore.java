package rjvm.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import rjvm.test.junit.RjvmExtension;

/**
 * The test runs under many schedules of its threads. Where the VM can't do that, it runs once, and its report says so.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(RjvmExtension.class)
public @interface Explore {
    /** How many schedules at most. */
    int iterations() default 1000;

    /** How they are chosen: {@code mixed}, {@code pos}, {@code pct:3}, {@code preempt:2}, {@code random}, {@code quanta:N}, {@code dpor}. */
    String strategy() default "mixed";

    /** {@code sc}: every read sees the latest write. {@code jmm}: what the Java memory model permits. */
    String memory() default "sc";

    /** What the choices follow. */
    long seed() default 1;
}
