package rjvm.test.junit;

import java.lang.reflect.Method;
import java.util.zip.CRC32;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import rjvm.test.Deterministic;
import rjvm.test.Rules;

/** Which tests a VM runs that {@code rjvm test} has started: those of its part, and of its seed. */
public final class Parts implements PostDiscoveryFilter {
    private final String shard = System.getProperty("rjvm.test.shard");
    private final Long seed = Long.getLong("rjvm.test.seed");
    private final boolean main = Boolean.getBoolean("rjvm.test.main");

    @Override
    public FilterResult apply(TestDescriptor test) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource) {
            MethodSource method = (MethodSource) source;
            return FilterResult.includedIf(isMine(type(method), method(method)));
        }
        if (source instanceof ClassSource && test.isTest()) {
            return FilterResult.includedIf(isMine(((ClassSource) source).getJavaClass(), null));
        }
        return FilterResult.included("it is judged by what it contains");
    }

    private static Class<?> type(MethodSource source) {
        try {
            return source.getJavaClass();
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static Method method(MethodSource source) {
        try {
            return source.getJavaMethod();
        } catch (RuntimeException e) {
            return null;
        }
    }

    private boolean isMine(Class<?> type, Method method) {
        if (type == null) {
            return main || seed == null;
        }
        if (seed != null) {
            Deterministic own = Rules.deterministic(method, type);
            if (own == null ? !main : own.seed() != seed) {
                return false;
            }
        }
        return shard == null || isOfShard(type);
    }

    /** All tests of a file are in one part. */
    private boolean isOfShard(Class<?> type) {
        Class<?> top = type;
        while (top.getEnclosingClass() != null) {
            top = top.getEnclosingClass();
        }
        String[] numbers = shard.split("/");
        CRC32 sum = new CRC32();
        sum.update(top.getName().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return sum.getValue() % Long.parseLong(numbers[1]) == Long.parseLong(numbers[0]) - 1;
    }
}
