package rjvm.test.junit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import rjvm.test.Body;
import rjvm.test.Explore;
import rjvm.test.Explorer;
import rjvm.test.Measurement;
import rjvm.test.Rules;

/** Runs the test methods of JUnit 5 as the annotations of {@code rjvm.test} ask for. */
public final class RjvmExtension implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context) throws Throwable {
        run(invocation, call, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context) throws Throwable {
        run(invocation, call, context);
    }

    private static void run(Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
            throws Throwable {
        Method method = call.getExecutable();
        Rules rules = Rules.of(method, call.getTargetClass());
        String problem = rules.problem();
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        String leftOut = rules.leftOut();
        if (leftOut != null) {
            context.publishReportEntry("rjvm.skipped", leftOut);
        }
        String name = name(method, call.getTargetClass(), context.getUniqueId());
        Explore explore = method.getAnnotation(Explore.class);
        if (explore != null) {
            if (Explorer.supported()) {
                explore(invocation, name, explore);
                return;
            }
            context.publishReportEntry("rjvm.explore", "this VM can't explore schedules: the test has run once");
        }
        for (int i = rules.warmups(); i > 0; i--) {
            warmUp(method, call);
        }
        if (!rules.measures()) {
            invocation.proceed();
            return;
        }
        Measurement measured = rules.run(name, body(invocation));
        context.publishReportEntry("rjvm.counts", measured.toString());
    }

    private static void explore(final Invocation<Void> invocation, String name, Explore how) {
        final boolean[] ran = new boolean[1];
        String failure = Explorer.explore(new Body() {
            @Override
            public Object run() throws Throwable {
                ran[0] = true;
                return invocation.proceed();
            }
        }, name, how);
        if (!ran[0]) {
            // the schedules have run it, elsewhere
            invocation.skip();
        }
        if (failure != null) {
            throw new AssertionError(failure);
        }
    }

    private static Body body(Invocation<Void> invocation) {
        return new Body() {
            @Override
            public Object run() throws Throwable {
                return invocation.proceed();
            }
        };
    }

    private static void warmUp(Method method, ReflectiveInvocationContext<Method> call) throws Throwable {
        method.setAccessible(true);
        try {
            method.invoke(call.getTarget().orElse(null), call.getArguments().toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** {@code com.acme.ParserTest::parses}, and which of several invocations it is. */
    private static String name(Method method, Class<?> type, String uniqueId) {
        int at = uniqueId.lastIndexOf("-invocation:#");
        String which = at < 0 ? "" : "[" + uniqueId.substring(at + 13).replace("]", "") + "]";
        return type.getName() + "::" + method.getName() + which;
    }
}
