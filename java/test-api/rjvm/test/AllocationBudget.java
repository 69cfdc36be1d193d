package rjvm.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import rjvm.test.junit.RjvmExtension;

/**
 * The test method, with all that it calls, allocates at most so much. Allocations of other threads are not counted.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(RjvmExtension.class)
public @interface AllocationBudget {
    /** Objects at most, arrays included. */
    long objects() default Long.MAX_VALUE;

    /** What is allocated to load and initialize classes and link call sites counts as well. */
    boolean loading() default false;

    /** Bytes at most. */
    long bytes() default Long.MAX_VALUE;
}
