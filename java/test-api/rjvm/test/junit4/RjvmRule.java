package rjvm.test.junit4;

import java.lang.reflect.Method;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;
import rjvm.test.Body;
import rjvm.test.Explore;
import rjvm.test.Explorer;
import rjvm.test.Rules;

/** Lets the budgets of {@code rjvm.test} hold for tests of JUnit 4: {@code @Rule public final RjvmRule rjvm = new RjvmRule();}. */
public final class RjvmRule implements TestRule {
    @Override
    public Statement apply(final Statement base, final Description description) {
        final Method method = method(description);
        if (method == null) {
            return base;
        }
        return new Statement() {
            @Override
            public void evaluate() throws Throwable {
                Rules rules = Rules.of(method, description.getTestClass());
                String problem = rules.problem();
                if (problem != null) {
                    throw new IllegalStateException(problem);
                }
                Explore explore = method.getAnnotation(Explore.class);
                if (explore != null && Explorer.supported()) {
                    String failure = Explorer.explore(body(base), name(description), explore);
                    if (failure != null) {
                        throw new AssertionError(failure);
                    }
                    return;
                }
                for (int i = rules.warmups(); i > 0; i--) {
                    base.evaluate();
                }
                if (!rules.measures()) {
                    base.evaluate();
                    return;
                }
                rules.run(name(description), body(base));
            }
        };
    }

    private static Body body(final Statement base) {
        return new Body() {
            @Override
            public Object run() throws Throwable {
                base.evaluate();
                return null;
            }
        };
    }

    private static String name(Description description) {
        return description.getClassName() + "::" + description.getMethodName();
    }

    /** The test method: it has no parameters, and is public. */
    private static Method method(Description description) {
        String name = description.getMethodName();
        Class<?> type = description.getTestClass();
        if (name == null || type == null) {
            return null;
        }
        int parameters = name.indexOf('[');
        try {
            return type.getMethod(parameters < 0 ? name : name.substring(0, parameters));
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
