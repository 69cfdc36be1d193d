package rjvm.test.testng;

import java.lang.reflect.Method;
import org.testng.IHookCallBack;
import org.testng.IHookable;
import org.testng.ITestNGListener;
import org.testng.ITestResult;
import rjvm.test.Body;
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
        if (!rules.measures()) {
            test.runTestMethod(result);
            return;
        }
        try {
            for (int i = rules.warmups(); i > 0; i--) {
                test.runTestMethod(result);
            }
            rules.run(type.getName() + "::" + method.getName(), new Body() {
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
}
