package rjvm.maven;

import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Runs the tests with {@code rjvm test}: budgets hold, seeds apply, tests with {@code @Explore} run under many schedules. */
@Mojo(name = "test", defaultPhase = LifecyclePhase.VERIFY, requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(phase = LifecyclePhase.TEST_COMPILE)
public final class TestGoal extends Goal {
    /** Test classes, or methods such as {@code com.acme.ParserTest::numbers}, between commas; by default all. */
    @Parameter(property = "rjvm.test")
    String test;

    /** All tests are measured, with or without a budget. */
    @Parameter(property = "rjvm.measure", defaultValue = "false")
    boolean measure;

    @Override
    void run(Program program) throws MojoExecutionException, MojoFailureException, java.io.IOException {
        List<String> words = new ArrayList<>();
        words.add("test");
        if (measure) {
            words.add("--measure");
        }
        words.addAll(vm(pathWithConsole()));
        if (test != null) {
            words.addAll(words(test));
        }
        words.add("--");
        if (test == null) {
            words.add("--scan-class-path=" + testClasses);
        }
        words.add("--reports-dir=" + reports);
        words.add("--details=tree");
        int code = run(program, words);
        if (code == 1) {
            throw new MojoFailureException("tests failed on rjvm");
        }
        if (code != 0) {
            throw new MojoExecutionException("rjvm test ended with exit code " + code);
        }
    }
}
