package rjvm.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import rjvm.test.junit.RjvmExtension;

/**
 * The test method is called so many times, on the same object, before the call that is counted: caches are filled then. Methods that run before and after each test do not run in between.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(RjvmExtension.class)
public @interface WarmUp {
    /** Calls. */
    int value() default 1;
}
