package rjvm.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Explains when, where and why a program is slow: text, HTML, JSON and SARIF. */
@Mojo(name = "why", requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(phase = LifecyclePhase.TEST_COMPILE)
public final class WhyGoal extends Goal {
    /** The main class. */
    @Parameter(property = "rjvm.mainClass", required = true)
    String mainClass;

    /** Arguments of the main class. */
    @Parameter(property = "rjvm.arguments")
    List<String> arguments;

    @Override
    void run(Program program) throws MojoExecutionException, MojoFailureException, java.io.IOException {
        List<String> words = new ArrayList<>();
        words.add("why");
        for (String extension : new String[] {"txt", "html", "json"}) {
            words.add("-o");
            words.add(new File(reports, "why." + extension).getPath());
        }
        words.add("--deterministic");
        words.addAll(vm(runtimePath));
        words.add(mainClass);
        if (arguments != null) {
            words.addAll(arguments);
        }
        int code = run(program, words);
        if (code != 0) {
            throw new MojoFailureException(mainClass + " ended with exit code " + code);
        }
        Object found = Json.read(new File(reports, "why.json").toPath());
        Sarif.write(Sarif.of(found, sourceFolders(), basedir), new File(reports, "why.sarif").toPath());
        getLog().info("report: " + new File(reports, "why.html"));
    }
}
