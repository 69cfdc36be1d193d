package com.example;

import java.util.Random;
import rjvm.test.Bench;

/** What {@code rjvm bench} measures. */
public class WordsBench {
    private final String text;

    /** Prepares, and is not counted. */
    public WordsBench() {
        StringBuilder text = new StringBuilder();
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            text.append((char) ('a' + random.nextInt(26))).append((char) ('a' + random.nextInt(3))).append(' ');
        }
        this.text = text.toString();
    }

    @Bench
    public Words add() {
        return new Words().add(text);
    }

    @Bench(args = {"10", "100"}, limits = "<=400_000")
    public Words repeated(int times) {
        Words words = new Words();
        for (int i = 0; i < times; i++) {
            words.add("one two three");
        }
        return words;
    }
}
