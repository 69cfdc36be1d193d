package rjvm.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

/** Runs a main class or a test class under many schedules of its threads, and fails with the first schedule in which it fails. */
@Mojo(name = "explore", defaultPhase = LifecyclePhase.VERIFY, requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(phase = LifecyclePhase.TEST_COMPILE)
public final class ExploreGoal extends Goal {
    /** The main class. */
    @Parameter(property = "rjvm.mainClass")
    String mainClass;

    /** Arguments of the main class. */
    @Parameter(property = "rjvm.arguments")
    List<String> arguments;

    /** A test class, or a method such as {@code com.acme.PoolTest::closes}, if there is no main class. */
    @Parameter(property = "rjvm.test")
    String test;

    /** How many schedules. */
    @Parameter(property = "rjvm.iterations", defaultValue = "1000")
    int iterations;

    /** How they are chosen. */
    @Parameter(property = "rjvm.strategy", defaultValue = "mixed")
    String strategy;

    /** {@code sc}, or {@code jmm} for what the Java memory model permits. */
    @Parameter(property = "rjvm.memory", defaultValue = "sc")
    String memory;

    /** Data races are failures. */
    @Parameter(property = "rjvm.races", defaultValue = "false")
    boolean races;

    /** Seconds after which no new schedule begins; 0 for no limit. */
    @Parameter(property = "rjvm.time", defaultValue = "0")
    int time;

    @Override
    void run(Program program) throws MojoExecutionException, MojoFailureException, IOException {
        if (mainClass == null && test == null) {
            throw new MojoExecutionException("name a main class (-Drjvm.mainClass) or a test class (-Drjvm.test).\n"
                    + "Tests with @Explore run under many schedules with: mvn rjvm:test");
        }
        List<String> words = new ArrayList<>(Arrays.asList("explore", "--iterations=" + iterations, "--strategy=" + strategy,
                "--memory=" + memory));
        if (races) {
            words.add("--races");
        }
        if (time > 0) {
            words.add("--time=" + time);
        }
        File json = new File(reports, "explore.json");
        Files.deleteIfExists(json.toPath());
        for (File file : new File[] {json, new File(reports, "explore.txt"), new File(reports, "explore.html")}) {
            words.add("-o");
            words.add(file.getPath());
        }
        if (mainClass != null) {
            words.addAll(vm(runtimePath));
            words.add(mainClass);
            if (arguments != null) {
                words.addAll(arguments);
            }
        } else {
            // JUnit's own limits of time end tests at once otherwise
            words.add("--timeouts=last");
            words.addAll(vm(pathWithConsole()));
            words.add(console());
            boolean method = test.contains("::");
            words.add(method ? "--select-method=" + test.replace("::", "#") : "--select-class=" + test);
            words.add("--details=tree");
            words.add("--details-theme=ascii");
            words.add("--disable-ansi-colors");
        }
        int code = run(program, words);
        if (code > 1 || !json.isFile()) {
            throw new MojoExecutionException("rjvm explore ended with exit code " + code);
        }
        Object found = Json.read(json.toPath());
        Sarif.write(Sarif.of(found, sourceFolders(), basedir), new File(reports, "explore.sarif").toPath());
        if (code == 1) {
            throw new MojoFailureException(failures(found));
        }
    }

    /** What failed, with the schedules, which are moved to the reports. */
    private String failures(Object found) throws IOException {
        StringBuilder text = new StringBuilder((mainClass == null ? test : mainClass) + " fails in a schedule of its threads");
        for (Object failure : Json.list(found, "failures")) {
            text.append("\n").append(Sarif.outcome(Json.at(failure, "outcome")));
            String name = Json.text(failure, "shown", "file");
            if (name == null) {
                continue;
            }
            Path from = basedir.toPath().resolve(name);
            Path to = reports.toPath().resolve(name);
            if (Files.isRegularFile(from)) {
                Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
            }
            text.append("\nTo replay it: rjvm --replay=").append(to);
            for (String line : String.valueOf(Json.text(failure, "shown", "schedule")).split("\n")) {
                if (line.startsWith("at ") || line.startsWith("end ")) {
                    text.append("\n  ").append(line);
                }
            }
        }
        int others = Json.list(found, "races").size();
        if (races && others > 0) {
            text.append("\ndata races: ").append(others);
        }
        return text.append("\nReport: ").append(new File(reports, "explore.html")).toString();
    }
}
