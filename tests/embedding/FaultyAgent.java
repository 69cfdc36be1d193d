import rjvm.agent.IC;
import rjvm.agent.MID;
import rjvm.agent.Profiler;
import rjvm.agent.RC;
import rjvm.agent.SamplingProfiler;

/** Panics where -Dfail says: the agent of {@code tests/faults/main.rs}. */
public class FaultyAgent implements Profiler, SamplingProfiler {
    private int reports;
    private int samples;

    public FaultyAgent() {
        at("constructor");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> at("hook"), "hook"));
    }

    private static void at(String place) {
        if (place.equals(System.getProperty("fail"))) {
            Faults.fail();
        }
    }

    @Override
    public int register(Thread t, RC rc) {
        at("register");
        return 500;
    }

    @Override
    public int report(RC rc, IC currentIC) {
        if (++reports == 3) {
            at("report");
        }
        return 500;
    }

    @Override
    public int register(Thread t) {
        return 700;
    }

    @Override
    public int processSample(MID[] stack, int sp, int bytecodes) {
        if (++samples == 3) {
            at("sample");
        }
        return 700;
    }
}
