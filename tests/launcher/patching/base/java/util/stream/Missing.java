package java.util.stream;

/** Compiled, and taken away. */
public class Missing {
}
