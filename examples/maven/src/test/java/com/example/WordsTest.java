package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import rjvm.test.Bench;
import rjvm.test.BytecodeBudget;
import rjvm.test.Profiled;

class WordsTest {
    @Test
    @BytecodeBudget(max = 5_000)
    @Profiled
    void counts() {
        assertEquals(6, Words.count("to be or not to be"));
    }

    @Bench
    int bench() {
        return Words.count("to be or not to be");
    }
}
