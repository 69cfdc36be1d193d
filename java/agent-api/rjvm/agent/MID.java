package rjvm.agent;

/** Identifies a method. There is one instance for each method, so that {@code ==} tells methods apart. */
public interface MID {
}
