import java.io.*;
import java.nio.file.*;
import java.util.*;

/** Reads lines from standard input and from another process while other threads run; leaves two files behind. */
public class Lines {
    public static void main(String[] args) throws Exception {
        System.out.println(new TreeMap<>(System.getenv()) + " " + Locale.getDefault());
        Thread busy = new Thread(() -> {
            long x = 1;
            for (int i = 0; i < 3_000_000; i++) {
                x = x * 31 + i;
            }
            System.out.println("busy " + x);
        });
        busy.start();
        Thread clock = new Thread(() -> {
            try {
                for (int i = 0; i < 5; i++) {
                    Thread.sleep(10);
                }
                System.out.println("slept " + System.nanoTime());
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        clock.start();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in))) {
            for (String line; (line = in.readLine()) != null; ) {
                System.out.println("line " + line + " " + System.nanoTime());
            }
        }
        // what comes from another process comes in time, or not: no clock runs meanwhile
        clock.join();
        Process p = new ProcessBuilder("/bin/sh", "-c", "for i in 1 2 3; do echo $i; done; echo err >&2").start();
        Thread errors = new Thread(() -> p.errorReader().lines().forEach(System.out::println));
        p.inputReader().lines().forEach(line -> System.out.println("child " + line));
        errors.start();
        errors.join();
        System.out.println("exit " + p.waitFor());
        busy.join();
        Path here = Path.of("lines.txt").toAbsolutePath();
        Files.writeString(here, here.toString());
        Path temporary = Files.createTempFile("t", null);
        Process pwd = new ProcessBuilder("/bin/sh", "-c", "echo " + temporary + " > temporary.txt").start();
        System.out.println(pwd.waitFor() + " " + temporary);
    }
}
