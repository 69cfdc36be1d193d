package rjvm.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Lets Surefire and Failsafe run their tests on rjvm: makes a home whose {@code java} is rjvm, and sets the properties {@code jvm} and
 * {@code argLine}, which both read. Budgets hold then. A test with {@code @Explore} runs once: {@code rjvm:test} explores it.
 */
@Mojo(name = "surefire", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class SurefireGoal extends Goal {
    /** The home to make. */
    @Parameter(property = "rjvm.home", defaultValue = "${project.build.directory}/rjvm-home")
    File home;

    /** Each fork leaves its profile in the reports. */
    @Parameter(property = "rjvm.profiles", defaultValue = "false")
    boolean profiles;

    /** Each run is the same, and finds the same world; without it tests see the real clock, environment and network. */
    @Parameter(property = "rjvm.deterministic", defaultValue = "true")
    boolean deterministic;

    @Parameter(defaultValue = "${project.properties}", readonly = true)
    Properties properties;

    @Override
    void run(Program program) throws MojoExecutionException {
        List<String> words = new ArrayList<>(Arrays.asList("java-home", home.getPath()));
        if (javaHome != null) {
            words.add("--java-home=" + javaHome);
        }
        home.getParentFile().mkdirs();
        int code = run(program, words);
        if (code != 0) {
            throw new MojoExecutionException("rjvm java-home ended with exit code " + code);
        }
        List<String> line = new ArrayList<>(Arrays.asList("--profile=exact", "--allocations", "--quiet"));
        if (deterministic) {
            line.add("--deterministic");
        }
        if (profiles) {
            for (String extension : new String[] {"rjp", "txt", "html", "json"}) {
                line.add("-o");
                line.add(quoted(new File(reports, "surefire." + extension).getPath()));
            }
        }
        if (options != null) {
            line.addAll(options);
        }
        String before = properties.getProperty("argLine");
        if (before != null && !before.trim().isEmpty()) {
            line.add(before);
        }
        properties.setProperty("jvm", new File(home, "bin/java").getPath());
        properties.setProperty("argLine", String.join(" ", line));
        getLog().info("tests run on rjvm (" + program.file() + ")");
    }

    /** One word of Surefire's line. */
    private static String quoted(String word) {
        return word.indexOf(' ') < 0 ? word : "\"" + word + "\"";
    }
}
