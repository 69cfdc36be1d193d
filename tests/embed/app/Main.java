package app;

import java.util.Scanner;

/** A program with everything that a launcher sees to. */
public class Main {
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        Thread other = new Thread(() -> {
            for (int i = 0; i < 1000; i++) {
                Thread.yield();
            }
            System.out.println("other thread");
        });
        other.start();
        System.out.println(String.join(",", args));
        if (args.length > 0) {
            switch (args[0]) {
                case "exit": System.exit(7);
                case "throw": throw new IllegalStateException("for the launcher");
                case "echo": System.out.println(new Scanner(System.in).nextLine());
                default:
            }
        }
    }
}
