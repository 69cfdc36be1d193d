import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.PackageNameFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the JUnit tests of packages, or of a class here, and prints the result of each container and of each test that did not pass. */
public class Suite {
    public static void main(String[] args) throws Exception {
        var out = System.out;
        List<DiscoverySelector> selectors = new ArrayList<>();
        var request = LauncherDiscoveryRequestBuilder.request();
        if (args[0].endsWith("Suite")) {
            request.selectors(selectClass(args[0]));
        } else {
            for (String path : System.getProperty("java.class.path").split(File.pathSeparator))
                if (path.endsWith("-tests.jar")) selectors.addAll(selectClasspathRoots(Set.of(Path.of(path))));
            request.selectors(selectors).filters(PackageNameFilter.includePackageNames(args), ClassNameFilter.includeClassNamePatterns(".*Test"),
                ClassNameFilter.excludeClassNamePatterns(".*PerformanceTest"));
        }
        LauncherDiscoveryRequest built = request.build();
        var results = new TreeMap<String, TreeMap<String, Integer>>();
        var failures = new TreeMap<String, String>();
        LauncherFactory.create().execute(built, new TestExecutionListener() {
            @Override
            public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (!test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) return;
                String where = test.getUniqueIdObject().getSegments().size() > 1 ? test.getUniqueIdObject().getSegments().get(1).getValue() : "?";
                results.computeIfAbsent(where, k -> new TreeMap<>()).merge(result.getStatus().toString(), 1, Integer::sum);
                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL)
                    failures.put(test.getUniqueId(), result.getThrowable().map(t -> t.getClass().getName()).orElse("?"));
                result.getThrowable().ifPresent(t -> {
                    System.err.println(test.getUniqueId());
                    t.printStackTrace();
                });
            }

            @Override
            public synchronized void executionSkipped(TestIdentifier test, String reason) {
                results.computeIfAbsent("skipped", k -> new TreeMap<>()).merge("SKIPPED", 1, Integer::sum);
            }
        });
        results.forEach((k, v) -> out.println("suite: " + k + " " + v));
        failures.forEach((k, v) -> out.println("suite: " + k + " " + v));
        System.exit(0);
    }
}
