package com.example;

import java.util.HashMap;
import java.util.Map;

/** Counts words. */
public final class Words {
    private final Map<String, Integer> counts = new HashMap<>();

    /** Counts those of a text. */
    public Words add(String text) {
        int begin = -1;
        for (int i = 0; i <= text.length(); i++) {
            boolean inside = i < text.length() && Character.isLetter(text.charAt(i));
            if (inside && begin < 0) {
                begin = i;
            } else if (!inside && begin >= 0) {
                counts.merge(text.substring(begin, i), 1, Integer::sum);
                begin = -1;
            }
        }
        return this;
    }

    /** How often a word has come. */
    public int count(String word) {
        return counts.getOrDefault(word, 0);
    }

    /** How many different words have come. */
    public int size() {
        return counts.size();
    }
}
