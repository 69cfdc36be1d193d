import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.TimeUnit;

/** ProcessBuilder with /bin/echo, /bin/cat and /bin/sh: output, input, error, exit codes, environment, directory, pipelines, signals. */
public class Processes {
    static String run(ProcessBuilder b, String input) throws Exception {
        Process p = b.start();
        try (OutputStream o = p.getOutputStream()) {
            if (input != null) o.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String out = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(p.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return p.waitFor() + " [" + out.replace("\n", "/") + "] [" + err.replace("\n", "/") + "]";
    }

    public static void main(String[] args) throws Exception {
        System.out.println(run(new ProcessBuilder("/bin/echo", "hello", "two words", "", "ü"), null));
        System.out.println(run(new ProcessBuilder("/bin/cat"), "line one\nline two ✓\n"));
        System.out.println(run(new ProcessBuilder("/bin/sh", "-c", "echo out; echo err >&2; exit 7"), null));
        System.out.println(run(new ProcessBuilder("/bin/sh", "-c", "echo out; echo err >&2").redirectErrorStream(true), null));
        ProcessBuilder env = new ProcessBuilder("/bin/sh", "-c", "echo $GREETING-$UNSET-$TZ");
        env.environment().put("GREETING", "hi there");
        env.environment().remove("TZ");
        System.out.println(run(env, null));
        File dir = new File(System.getProperty("java.io.tmpdir"));
        System.out.println(run(new ProcessBuilder("/bin/sh", "-c", "pwd -P").directory(dir), null).contains(dir.getCanonicalPath()));
        File f = File.createTempFile("proc", ".txt");
        new ProcessBuilder("/bin/echo", "to file").redirectOutput(f).start().waitFor();
        new ProcessBuilder("/bin/echo", "appended").redirectOutput(ProcessBuilder.Redirect.appendTo(f)).start().waitFor();
        System.out.println(run(new ProcessBuilder("/bin/cat").redirectInput(f), null));
        f.delete();
        try {
            new ProcessBuilder("/no/such/program").start();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            new ProcessBuilder("/bin/echo").directory(new File("/no/such/dir")).start();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            new ProcessBuilder(List.of()).start();
        } catch (IndexOutOfBoundsException e) {
            System.out.println("empty command");
        }
        Process sleeper = new ProcessBuilder("/bin/sleep", "1000").start();
        System.out.println(sleeper.isAlive() + " " + sleeper.waitFor(5, TimeUnit.MILLISECONDS));
        try {
            sleeper.exitValue();
        } catch (IllegalThreadStateException e) {
            System.out.println(e.getMessage());
        }
        sleeper.destroy();
        System.out.println(sleeper.waitFor() + " " + sleeper.isAlive());
        Process killed = new ProcessBuilder("/bin/sleep", "1000").start();
        System.out.println(killed.destroyForcibly().waitFor() + " " + (killed.pid() > 0) + " " + killed.toHandle().isAlive());
        List<Process> pipe = ProcessBuilder.startPipeline(List.of(new ProcessBuilder("/bin/echo", "b\na\nc"), new ProcessBuilder("sort"), new ProcessBuilder("tr", "a-z", "A-Z")));
        System.out.println(new String(pipe.get(2).getInputStream().readAllBytes()).replace("\n", "/"));
        Process rt = Runtime.getRuntime().exec(new String[] {"/bin/sh", "-c", "echo $X"}, new String[] {"X=only"});
        System.out.println(new BufferedReader(new InputStreamReader(rt.getInputStream())).readLine() + " " + rt.onExit().get().exitValue());
        byte[] big = new byte[200_000];
        Arrays.fill(big, (byte) 'x');
        Process cat = new ProcessBuilder("/bin/cat").start();
        Thread feeder = new Thread(() -> { try (OutputStream o = cat.getOutputStream()) { o.write(big); } catch (IOException e) { System.out.println(e); } });
        feeder.start();
        System.out.println(cat.getInputStream().readAllBytes().length + " " + cat.waitFor());
        feeder.join();
        System.out.flush();
        new ProcessBuilder("/bin/echo", "inherited").inheritIO().start().waitFor();
        System.out.println((ProcessHandle.current().pid() > 0) + " " + ProcessHandle.current().isAlive() + " " + ProcessHandle.of(ProcessHandle.current().pid()).isPresent());
    }
}
