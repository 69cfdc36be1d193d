package rjvm.agent;

import java.util.Arrays;

/** What the VM calls to reach an agent. Its private natives hand over what waits in the VM. */
final class Bridge {
    private static Profiler profiler;
    private static SamplingProfiler sampler;
    private static MIDFactory factory;

    /** By the VM's number of the method. */
    private static MID[] mids = new MID[1 << 10];

    private Bridge() {
    }

    /** The next number that waits, or -1. */
    private static native int number();

    /** The next text that waits. */
    private static native String text();

    /** Makes the agent of the class whose name waits; 1: it is a Profiler, 2: a SamplingProfiler, 3: both. */
    static int load() throws Exception {
        Object agent = make(text());
        if (agent instanceof Profiler) {
            profiler = (Profiler) agent;
        }
        if (agent instanceof SamplingProfiler) {
            sampler = (SamplingProfiler) agent;
        }
        String name = System.getProperty("org.jp.MIDFactory");
        if (name != null) {
            factory = (MIDFactory) make(name);
        }
        return (profiler == null ? 0 : 1) + (sampler == null ? 0 : 2);
    }

    private static Object make(String name) throws Exception {
        Class<?> c = Class.forName(name, true, ClassLoader.getSystemClassLoader());
        java.lang.reflect.Constructor<?> constructor = c.getDeclaredConstructor();
        constructor.setAccessible(true);
        try {
            return constructor.newInstance();
        } catch (java.lang.reflect.InvocationTargetException e) {
            if (e.getCause() instanceof Exception) {
                throw (Exception) e.getCause();
            }
            if (e.getCause() instanceof Error) {
                throw (Error) e.getCause();
            }
            throw e;
        }
    }

    /** The current thread is made, the twin of one of the program's. */
    static RC begin() {
        Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
        return new RC();
    }

    /** The contexts of a thread by number; the root's is 0. */
    static IC[] contexts(RC rc) {
        IC[] contexts = new IC[64];
        contexts[0] = rc;
        return contexts;
    }

    /** A stack for at least {@code n} frames that begins like {@code stack}. */
    static MID[] stack(MID[] stack, int n) {
        return stack == null ? new MID[n] : Arrays.copyOf(stack, n);
    }

    /** Makes the identifiers of the methods that wait: number, class, name with descriptor. */
    static MID[] define() {
        for (int id; (id = number()) >= 0;) {
            String c = text();
            String mns = text();
            if (id >= mids.length) {
                mids = Arrays.copyOf(mids, Math.max(id + 1, 2 * mids.length));
            }
            mids[id] = factory == null ? new MIDImpl(c, mns) : factory.getMID(find(c), mns);
        }
        return mids;
    }

    private static Class<?> find(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** Adds the contexts that wait, each as the number of its caller and that of its method. */
    static IC[] add(IC[] contexts, int size) {
        for (int caller; (caller = number()) >= 0;) {
            IC ic = contexts[caller].callee(mids[number()]);
            if (size == contexts.length) {
                contexts = Arrays.copyOf(contexts, 2 * size);
            }
            contexts[size++] = ic;
        }
        return contexts;
    }

    static int register(RC rc) {
        return profiler.register(Thread.currentThread(), rc);
    }

    static int register() {
        return sampler.register(Thread.currentThread());
    }

    static int report(RC rc, IC currentIC) {
        return profiler.report(rc, currentIC);
    }

    static int processSample(MID[] stack, int sp, int bytecodes) {
        return sampler.processSample(stack, sp, bytecodes);
    }

    /** The program is over: runs the shutdown hooks. */
    static void finish() {
        Runtime.getRuntime().exit(0);
    }
}
