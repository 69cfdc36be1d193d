import java.util.HashMap;
import java.util.Map;
import rjvm.agent.IC;
import rjvm.agent.MID;
import rjvm.agent.MIDFactory;
import rjvm.agent.Profiler;
import rjvm.agent.RC;
import rjvm.agent.SamplingProfiler;

/** Both kinds of agent and a factory of identifiers at once: an identifier stands for one method. */
public class Ids implements Profiler, SamplingProfiler, MIDFactory {
    static final class Id implements MID {
        final String name;

        Id(String name) {
            this.name = name;
        }
    }

    private static final Map<String, Id> IDS = new HashMap<>();
    private int reports;
    private int samples;

    public Ids() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (samples > 0) {
                System.err.println(reports + " reports, " + samples + " samples, fib " + IDS.containsKey("class Work.fib(I)I"));
            }
        }));
    }

    @Override
    public MID getMID(Class<?> c, String mns) {
        if (Boolean.getBoolean("refuse") && mns.equals("fib(I)I")) {
            throw new IllegalStateException(mns);
        }
        Id id = new Id(c + "." + mns);
        if (c != null && IDS.put(id.name, id) != null) {
            throw new AssertionError(id.name);
        }
        return id;
    }

    @Override
    public int register(Thread t, RC rc) {
        return 5_000;
    }

    @Override
    public int report(RC rc, IC currentIC) {
        reports++;
        return 5_000;
    }

    @Override
    public int register(Thread t) {
        return 1_000;
    }

    @Override
    public int processSample(MID[] stack, int sp, int bytecodes) {
        samples++;
        for (int i = 0; i < Math.min(sp, 20); i++) {
            String name = ((Id) stack[i]).name;
            if (!name.startsWith("null") && IDS.get(name) != stack[i]) {
                throw new AssertionError(name);
            }
        }
        return 1_000;
    }
}
