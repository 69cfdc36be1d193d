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

    /**
     * When the time of a sleep or of a wait with a timeout may be over. {@code last}: when nothing else can go on, the earliest first, as
     * on a machine that has all the time it needs; so what watches over a test and ends it after seconds does not end it at once.
     * {@code any}: as soon as the wait has begun, however long it is, as on a machine that is very slow just then.
     */
    String timeouts() default "last";

    /** What the choices follow. */
    long seed() default 1;
}
