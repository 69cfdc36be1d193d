package rjvm.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Runs the main class, or the tests if none is named, with exact counts, and writes the profile as text, HTML, JSON and {@code .rjp}. */
@Mojo(name = "profile", requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(phase = LifecyclePhase.TEST_COMPILE)
public final class ProfileGoal extends Goal {
    /** The main class; without one the tests run. */
    @Parameter(property = "rjvm.mainClass")
    String mainClass;

    /** Arguments of the main class. */
    @Parameter(property = "rjvm.arguments")
    List<String> arguments;

    /** Which counts: {@code exact}, {@code callsites} or {@code blocks}. */
    @Parameter(property = "rjvm.profile", defaultValue = "exact")
    String profile;

    /** Which methods the reports show: {@code full}, {@code app} or {@code app-only}. */
    @Parameter(property = "rjvm.view", defaultValue = "full")
    String view;

    /** Objects and bytes are counted, too. */
    @Parameter(property = "rjvm.allocations", defaultValue = "true")
    boolean allocations;

    /** Each run is the same, and finds the same world. */
    @Parameter(property = "rjvm.deterministic", defaultValue = "true")
    boolean deterministic;

    @Override
    void run(Program program) throws MojoExecutionException, MojoFailureException, java.io.IOException {
        List<String> words = new ArrayList<>();
        words.add("--profile=" + profile);
        words.add("--view=" + view);
        words.add("--quiet");
        if (allocations) {
            words.add("--allocations");
        }
        if (deterministic) {
            words.add("--deterministic");
        }
        String name = mainClass == null ? "tests" : "profile";
        for (String extension : Arrays.asList("rjp", "txt", "html", "json")) {
            words.add("-o");
            words.add(report(name, extension).getPath());
        }
        if (mainClass != null) {
            words.addAll(vm(runtimePath));
            words.add(mainClass);
            if (arguments != null) {
                words.addAll(arguments);
            }
        } else {
            words.addAll(vm(pathWithConsole()));
            words.add(console());
            words.addAll(Arrays.asList("--scan-class-path=" + testClasses, "--details=none"));
        }
        int code = run(program, words);
        if (code != 0) {
            throw new MojoFailureException((mainClass == null ? "the tests" : mainClass) + " ended with exit code " + code);
        }
        getLog().info("profile: " + report(name, "html"));
    }

    private File report(String name, String extension) throws java.io.IOException {
        File file = new File(reports, name + "." + extension);
        // rjvm would put a number into the name of a second one
        java.nio.file.Files.deleteIfExists(file.toPath());
        return file;
    }
}
