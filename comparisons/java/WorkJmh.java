package work;

import org.openjdk.jmh.annotations.Benchmark;

/** The benchmarks of Work, for JMH. */
public class WorkJmh {
    @Benchmark
    public int loop() {
        return Work.loop();
    }

    @Benchmark
    public int array() {
        return Work.array();
    }

    @Benchmark
    public int objects() {
        return Work.objects();
    }

    @Benchmark
    public int text() {
        return Work.text();
    }

    @Benchmark
    public int hash() {
        return Work.hash();
    }

    @Benchmark
    public int tree() {
        return Work.tree();
    }

    @Benchmark
    public int sort() {
        return Work.sort();
    }

    @Benchmark
    public int recursion() {
        return Work.recursion();
    }

    @Benchmark
    public int exceptions() {
        return Work.exceptions();
    }

    @Benchmark
    public int regex() {
        return Work.regex();
    }
}
