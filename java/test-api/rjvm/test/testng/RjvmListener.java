package rjvm.test.testng;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.testng.IHookCallBack;
import org.testng.IHookable;
import org.testng.ITestNGListener;
import org.testng.ITestResult;
import rjvm.test.Body;
import rjvm.test.Explore;
import rjvm.test.Explorer;
import rjvm.test.Rules;

/** Runs the test methods of TestNG as the annotations of {@code rjvm.test} ask for. */
public final class RjvmListener implements IHookable, ITestNGListener {
    @Override
    public void run(final IHookCallBack test, final ITestResult result) {
        Method method = result.getMethod().getConstructorOrMethod().getMethod();
        Class<?> type = result.getTestClass().getRealClass();
        Rules rules = Rules.of(method, type);
        String problem = rules.problem();
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        String name = type.getName() + "::" + method.getName();
        Explore explore = method.getAnnotation(Explore.class);
        if (explore != null && Explorer.supported()) {
            explore(test, result, name, explore);
            return;
        }
        if (!rules.measures()) {
            test.runTestMethod(result);
            return;
        }
        try {
            for (int i = rules.warmups(); i > 0; i--) {
                test.runTestMethod(result);
            }
            rules.run(name, new Body() {
                @Override
                public Object run() {
                    test.runTestMethod(result);
                    return null;
                }
            });
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void explore(final IHookCallBack test, final ITestResult result, String name, Explore how) {
        String failure = Explorer.explore(new Body() {
            @Override
            public Object run() throws Throwable {
                test.runTestMethod(result);
                Throwable thrown = result.getThrowable();
                if (thrown instanceof InvocationTargetException) {
                    thrown = thrown.getCause();
                }
                if (thrown != null) {
                    throw thrown;
                }
                return null;
            }
        }, name, how);
        if (failure != null) {
            throw new AssertionError(failure);
        }
    }
}
