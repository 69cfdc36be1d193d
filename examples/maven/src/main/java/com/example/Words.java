package com.example;

/** Something to count. */
public class Words {
    /** The number of words between blanks. */
    public static int count(String text) {
        int words = 0;
        boolean inside = false;
        for (int i = 0; i < text.length(); i++) {
            boolean blank = text.charAt(i) == ' ';
            if (!blank && !inside) {
                words++;
            }
            inside = !blank;
        }
        return words;
    }

    public static void main(String[] args) {
        System.out.println(count("to be or not to be"));
    }
}
