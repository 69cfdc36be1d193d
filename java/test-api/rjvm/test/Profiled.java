package rjvm.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import rjvm.test.junit.RjvmExtension;

/**
 * The profile of the test method, with all that it calls, is written to a file: {@code com.acme.ParserTest.parses.rjp} in the folder, for
 * {@code rjvm profile}. On a class: of each of its tests. On a JVM other than rjvm nothing is counted and nothing is written, and the
 * report of the test says so.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@ExtendWith(RjvmExtension.class)
public @interface Profiled {
    /** Where the files go; the folder is made if it does not exist. */
    String folder() default "target/rjvm";

    /** Loading and initializing classes and linking call sites, which the first test that uses them does, are in the profile as well. */
    boolean loading() default false;
}
