package rjvm.test;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Runs one benchmark: what {@code rjvm bench} starts. */
final class BenchMain implements Body {
    private final Method method;
    private final Object target;
    private final Object[] arguments;

    private BenchMain(Method method, Object target, Object[] arguments) {
        this.method = method;
        this.target = target;
        this.arguments = arguments;
    }

    /** File for the profile, class, method, its descriptor, warm-ups, and the argument if there is one. */
    public static void main(String[] args) throws Throwable {
        Class<?> type = Class.forName(args[1], true, ClassLoader.getSystemClassLoader());
        Method method = find(type, args[2], args[3]);
        method.setAccessible(true);
        Object[] arguments = args.length < 6 ? new Object[0] : new Object[] {value(method.getParameterTypes()[0], args[5])};
        try {
            // how many objects have an identity hash by now depends on the class path
            int phase = 0;
            Meter.restartHashes(phase++);
            Object target = null;
            if (!Modifier.isStatic(method.getModifiers())) {
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                target = constructor.newInstance();
            }
            BenchMain bench = new BenchMain(method, target, arguments);
            for (int warmups = Integer.parseInt(args[4]); warmups > 0; warmups--) {
                Meter.restartHashes(phase++);
                bench.run();
            }
            Measurement[] measured = new Measurement[1];
            Meter.restartHashes(phase);
            Meter.measured(bench, measured);
            byte[] profile = measured[0].below(method.getDeclaringClass().getName(), args[2] + args[3]).profile();
            Files.write(Paths.get(args[0]), profile);
            if (target instanceof AutoCloseable) {
                ((AutoCloseable) target).close();
            }
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public Object run() throws Exception {
        return method.invoke(target, arguments);
    }

    private static Method find(Class<?> type, String name, String descriptor) throws NoSuchMethodException {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && Descriptors.of(method).equals(descriptor)) {
                return method;
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + name + descriptor);
    }

    private static Object value(Class<?> type, String text) {
        if (type == int.class) {
            return Integer.valueOf(text);
        }
        if (type == long.class) {
            return Long.valueOf(text);
        }
        if (type == boolean.class) {
            return Boolean.valueOf(text);
        }
        if (type == double.class) {
            return Double.valueOf(text);
        }
        if (type == float.class) {
            return Float.valueOf(text);
        }
        if (type == short.class) {
            return Short.valueOf(text);
        }
        if (type == byte.class) {
            return Byte.valueOf(text);
        }
        if (type == char.class && text.length() == 1) {
            return text.charAt(0);
        }
        if (type.isAssignableFrom(String.class)) {
            return text;
        }
        throw new IllegalArgumentException("'" + text + "' can't be made a " + type.getName());
    }
}
