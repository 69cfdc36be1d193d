package rjvm.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;

/** What all goals have in common. */
abstract class Goal extends AbstractMojo {
    /** The main class of JUnit's console launcher, as a file of a class path. */
    private static final String CONSOLE = "org/junit/platform/console/ConsoleLauncher";

    /** The program {@code rjvm}, or a folder with it; by default the variables RJVM_HOME and RJVM name it, or it is on PATH. */
    @Parameter(property = "rjvm")
    String rjvm;

    /** The JDK whose class library programs run with; by default rjvm chooses it. */
    @Parameter(property = "rjvm.javaHome")
    File javaHome;

    /** More options of the VM, such as {@code -Xmx1g}. */
    @Parameter(property = "rjvm.options")
    List<String> options;

    /** The goal does nothing. */
    @Parameter(property = "rjvm.skip", defaultValue = "false")
    boolean skip;

    /** The folder for reports. */
    @Parameter(property = "rjvm.reports", defaultValue = "${project.build.directory}/site/rjvm")
    File reports;

    @Parameter(defaultValue = "${basedir}", readonly = true)
    File basedir;

    @Parameter(defaultValue = "${project.packaging}", readonly = true)
    String packaging;

    @Parameter(defaultValue = "${project.build.directory}", readonly = true)
    File target;

    @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true)
    File classes;

    @Parameter(defaultValue = "${project.build.testOutputDirectory}", readonly = true)
    File testClasses;

    @Parameter(defaultValue = "${project.build.sourceDirectory}", readonly = true)
    File sources;

    @Parameter(defaultValue = "${project.build.testSourceDirectory}", readonly = true)
    File testSources;

    @Parameter(defaultValue = "${project.runtimeClasspathElements}", readonly = true)
    List<String> runtimePath;

    @Parameter(defaultValue = "${project.testClasspathElements}", readonly = true)
    List<String> testPath;

    /** The dependencies that a project declares for this plugin: the console launcher of JUnit may be one of them. */
    @Parameter(defaultValue = "${plugin.artifacts}", readonly = true)
    List<Artifact> ownArtifacts;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("rjvm.skip is set: nothing runs");
            return;
        }
        if ("pom".equals(packaging)) {
            getLog().info("a project of packaging pom has no classes: nothing runs");
            return;
        }
        Program program = Program.find(rjvm, System.getenv());
        try {
            Files.createDirectories(reports.toPath());
            run(program);
        } catch (IOException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }

    abstract void run(Program program) throws MojoExecutionException, MojoFailureException, IOException;

    int run(Program program, List<String> arguments) throws MojoExecutionException {
        getLog().debug(program.file() + " " + String.join(" ", arguments));
        return program.run(arguments, basedir, Collections.<String, String>emptyMap());
    }

    /** Options of the VM: the JDK, those of the user, the class path. */
    List<String> vm(List<String> path) {
        List<String> words = new ArrayList<>();
        if (javaHome != null) {
            words.add("--java-home=" + javaHome);
        }
        if (options != null) {
            words.addAll(options);
        }
        words.add("-cp");
        words.add(join(path));
        return words;
    }

    static String join(List<String> path) {
        List<String> there = new ArrayList<>();
        for (String element : path) {
            if (new File(element).exists()) {
                there.add(element);
            }
        }
        return String.join(File.pathSeparator, there);
    }

    /** Is there a file of this name in folders and jars of a class path? */
    static boolean has(List<String> path, String name) throws IOException {
        for (String element : path) {
            File file = new File(element);
            if (file.isDirectory() && new File(file, name).isFile()) {
                return true;
            }
            if (file.isFile()) {
                try (java.util.zip.ZipFile zip = new java.util.zip.ZipFile(file)) {
                    if (zip.getEntry(name) != null) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** The class path of tests with JUnit's console launcher on it, which runs tests without Maven. */
    List<String> pathWithConsole() throws IOException, MojoExecutionException {
        List<String> path = new ArrayList<>(testPath);
        for (Artifact artifact : ownArtifacts == null ? Collections.<Artifact>emptyList() : ownArtifacts) {
            File file = artifact.getFile();
            boolean declared = artifact.getGroupId().startsWith("org.junit") || artifact.getGroupId().equals("org.opentest4j")
                    || artifact.getGroupId().equals("org.opentest4j.reporting") || artifact.getGroupId().equals("info.picocli");
            if (file != null && declared && !path.contains(file.getPath())) {
                path.add(file.getPath());
            }
        }
        if (has(path, CONSOLE + ".class")) {
            return path;
        }
        throw new MojoExecutionException("tests need JUnit's console launcher. Add it to the dependencies of the project:\n"
                + "  <dependency>\n    <groupId>org.junit.platform</groupId>\n    <artifactId>junit-platform-console</artifactId>\n    <version>"
                + version(path) + "</version>\n    <scope>test</scope>\n  </dependency>");
    }

    /** The version that goes with the JUnit of the project. */
    private static String version(List<String> path) {
        for (String element : path) {
            String name = new File(element).getName();
            for (String known : new String[] {"junit-platform-engine-", "junit-platform-commons-"}) {
                if (name.startsWith(known) && name.endsWith(".jar")) {
                    return name.substring(known.length(), name.length() - 4);
                }
            }
        }
        return "VERSION";
    }

    static String console() {
        return CONSOLE.replace('/', '.');
    }

    /** Words between commas. */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        for (String word : text.split(",")) {
            if (!word.trim().isEmpty()) {
                words.add(word.trim());
            }
        }
        return words;
    }

    /** Folders of sources, in the order in which a file is looked for. */
    List<File> sourceFolders() {
        return Arrays.asList(sources, testSources);
    }
}
