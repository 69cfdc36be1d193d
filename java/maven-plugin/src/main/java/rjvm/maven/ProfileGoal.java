package rjvm.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
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

    /**
     * The classes that are shown, such as {@code com.acme..}; the work of others is added to their callers. By default all for a main
     * class; for tests those of the project, without JUnit's.
     */
    @Parameter(property = "rjvm.include")
    List<String> include;

    /** Objects and bytes are counted, too. */
    @Parameter(property = "rjvm.allocations", defaultValue = "true")
    boolean allocations;

    /** Each run is the same, and finds the same world. */
    @Parameter(property = "rjvm.deterministic", defaultValue = "true")
    boolean deterministic;

    @Override
    void run(Program program) throws MojoExecutionException, MojoFailureException, IOException {
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
            File file = new File(reports, name + "." + extension);
            // rjvm would put a number into the name of a second one
            Files.deleteIfExists(file.toPath());
            words.add("-o");
            words.add(file.getPath());
        }
        List<String> shown = include == null ? new ArrayList<String>() : include;
        if (shown.isEmpty() && mainClass == null) {
            shown = packages();
        }
        if (!shown.isEmpty()) {
            words.add("--include=" + String.join(",", shown));
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
        getLog().info("profile: " + new File(reports, name + ".html"));
    }

    /** Patterns for the packages of the project; classes without a package by name. */
    private List<String> packages() throws IOException {
        Set<String> found = new TreeSet<>();
        for (File folder : new File[] {classes, testClasses}) {
            if (!folder.isDirectory()) {
                continue;
            }
            Path root = folder.toPath();
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String name = root.relativize(file).toString().replace(File.separatorChar, '.');
                    if (name.endsWith(".class")) {
                        String type = name.substring(0, name.length() - ".class".length());
                        int dot = type.lastIndexOf('.');
                        found.add(dot < 0 ? type : type.substring(0, dot) + ".*");
                    }
                }
            }
        }
        return new ArrayList<>(found);
    }
}
