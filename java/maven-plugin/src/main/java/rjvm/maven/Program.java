package rjvm.maven;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.maven.plugin.MojoExecutionException;

/** The program {@code rjvm}: where it is, and how it runs. */
final class Program {
    private static final String NAME = "rjvm";

    private final File file;

    private Program(File file) {
        this.file = file;
    }

    /**
     * Finds it: in the given place, or else by the variables {@code RJVM_HOME} and {@code RJVM}, or else on {@code PATH}. A place that is
     * named and is none is an error: the next one may hold another version.
     */
    static Program find(String given, Map<String, String> environment) throws MojoExecutionException {
        if (isSet(given)) {
            return named("the parameter rjvm (-Drjvm)", given);
        }
        for (String variable : new String[] {"RJVM_HOME", "RJVM"}) {
            String value = environment.get(variable);
            if (isSet(value)) {
                return named("the variable " + variable, value);
            }
        }
        String path = environment.get("PATH");
        for (String folder : path == null ? new String[0] : path.split(File.pathSeparator)) {
            File file = new File(folder, NAME);
            if (!folder.isEmpty() && isProgram(file)) {
                return new Program(file.getAbsoluteFile());
            }
        }
        throw new MojoExecutionException("rjvm was not found: neither the parameter rjvm (-Drjvm=FILE) nor the variables RJVM_HOME and RJVM "
                + "name it, and it is not on PATH.\n" + HOW);
    }

    private static final String HOW = "Install it from rjvm's sources with: cargo install --locked --path crates/cli\n"
            + "Then check it with: rjvm --version";

    /** The program, or a folder with it, or with it in {@code bin}. */
    private static Program named(String by, String place) throws MojoExecutionException {
        File at = new File(place);
        for (File file : new File[] {at, new File(at, NAME), new File(at, "bin/" + NAME)}) {
            if (isProgram(file)) {
                return new Program(file.getAbsoluteFile());
            }
        }
        throw new MojoExecutionException(place + ": no program rjvm is there; " + by + " names it.\n" + HOW);
    }

    private static boolean isSet(String text) {
        return text != null && !text.trim().isEmpty();
    }

    private static boolean isProgram(File file) {
        return file.isFile() && file.canExecute();
    }

    File file() {
        return file;
    }

    /** Runs it with these arguments in a folder, with the streams of this process; the exit code. */
    int run(List<String> arguments, File folder, Map<String, String> more) throws MojoExecutionException {
        List<String> command = new ArrayList<>();
        command.add(file.getPath());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder).inheritIO();
        builder.environment().putAll(more);
        try {
            Process process = builder.start();
            try {
                return process.waitFor();
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            throw new MojoExecutionException(file + " does not start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException(file + " was interrupted", e);
        }
    }
}
