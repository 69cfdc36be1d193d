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

/** Counts the bytecodes of benchmarks, compares them with a baseline, and fails if one is beyond its limits. */
@Mojo(name = "bench", defaultPhase = LifecyclePhase.VERIFY, requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(phase = LifecyclePhase.TEST_COMPILE)
public final class BenchGoal extends Goal {
    /** The counts of an earlier run; without this file nothing is compared. */
    @Parameter(property = "rjvm.baseline", defaultValue = "${basedir}/rjvm-bench.txt")
    File baseline;

    /** The counts become the baseline. */
    @Parameter(property = "rjvm.save", defaultValue = "false")
    boolean save;

    /** Limits, such as {@code 0.5% bytecodes}; by default no benchmark may execute more. */
    @Parameter(property = "rjvm.limits")
    List<String> limits;

    /** Patterns of methods to measure, such as {@code com.acme.Parser::parse}; by default those with {@code @Bench}. */
    @Parameter(property = "rjvm.methods")
    List<String> methods;

    /** Only benchmarks with this text in their names run. */
    @Parameter(property = "rjvm.filter")
    String filter;

    /** How often a method is called before it is measured. */
    @Parameter(property = "rjvm.warmups", defaultValue = "1")
    int warmups;

    @Override
    void run(Program program) throws MojoExecutionException, MojoFailureException {
        List<String> words = new ArrayList<>();
        words.add("bench");
        if (save) {
            words.add("--save");
        }
        if (save || baseline.isFile()) {
            words.add("--baseline=" + baseline);
        }
        words.add("--warmups=" + warmups);
        if (limits != null) {
            for (String limit : limits) {
                words.add("--limit=" + limit);
            }
        }
        if (methods != null && !methods.isEmpty()) {
            words.add("--methods=" + String.join(",", methods));
        }
        if (filter != null) {
            words.add("--filter=" + filter);
        }
        for (String extension : new String[] {"txt", "md", "json", "xml"}) {
            words.add("-o");
            words.add(new File(reports, "bench." + extension).getPath());
        }
        words.add("--flame-graphs=" + new File(reports, "bench"));
        words.addAll(vm(testPath));
        int code = run(program, words);
        if (code == 3) {
            throw new MojoFailureException("benchmarks are beyond their limits: see " + new File(reports, "bench.txt")
                    + "\nIs the growth intended? Run mvn rjvm:bench -Drjvm.save and commit " + baseline.getName());
        }
        if (code != 0) {
            throw new MojoExecutionException("rjvm bench ended with exit code " + code);
        }
    }
}
