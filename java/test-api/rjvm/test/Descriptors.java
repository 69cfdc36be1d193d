package rjvm.test;

import java.lang.reflect.Method;

/** Descriptors of methods, by which profiles name them. */
final class Descriptors {
    private static final Class<?>[] PRIMITIVES = {
        boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class, double.class, void.class,
    };
    private static final String LETTERS = "ZBCSIJFDV";

    private Descriptors() {
    }

    /** {@code (ILjava/lang/String;)V} */
    static String of(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            add(parameter, text);
        }
        text.append(')');
        add(method.getReturnType(), text);
        return text.toString();
    }

    private static void add(Class<?> type, StringBuilder to) {
        for (int i = 0; i < PRIMITIVES.length; i++) {
            if (type == PRIMITIVES[i]) {
                to.append(LETTERS.charAt(i));
                return;
            }
        }
        String name = type.getName().replace('.', '/');
        to.append(type.isArray() ? name : "L" + name + ";");
    }
}
