package rjvm.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import rjvm.test.junit.RjvmExtension;

/**
 * The methods that a pattern names are entered at most so often by the test method and all that it calls.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(RjvmExtension.class)
@Repeatable(MaxCalls.List.class)
public @interface MaxCalls {
    /** {@code com.acme.Parser::parse}, {@code com.acme.Parser}, {@code java.util.HashMap::put*}, {@code com.acme..} (with subpackages). */
    String method();

    /** Calls at most. */
    long n();

    /** Several of them. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @ExtendWith(RjvmExtension.class)
    @interface List {
        /** All of them must be kept. */
        MaxCalls[] value();
    }
}
