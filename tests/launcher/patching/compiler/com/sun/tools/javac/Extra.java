package com.sun.tools.javac;

/** A new class of a module of the application loader. */
public class Extra {
    public static String call() {
        return new com.sun.tools.javac.main.Option.InvalidValueException("seen").getMessage();
    }
}
