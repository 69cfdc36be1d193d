package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import rjvm.test.AllocationBudget;
import rjvm.test.BytecodeBudget;
import rjvm.test.MaxCalls;

class WordsTest {
    private static final String TEXT = "the quick brown fox jumps over the lazy dog";

    @Test
    void countsWords() {
        assertEquals(2, new Words().add(TEXT).count("the"));
    }

    @Test
    @BytecodeBudget(max = 9_000)
    @AllocationBudget(objects = 40)
    void addIsCheap() {
        new Words().add(TEXT);
    }

    @Test
    @MaxCalls(method = "java.util.HashMap::merge", n = 9)
    void looksUpEachWordOnce() {
        new Words().add(TEXT);
    }
}
