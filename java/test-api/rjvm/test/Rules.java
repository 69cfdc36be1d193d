package rjvm.test;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/** What the annotations of a test method ask for. The frameworks' extensions call this; nothing of a framework is used here. */
public final class Rules {
    /** Folder with the profiles of an earlier run. */
    private static final String BEFORE = "rjvm.test.before";
    /** Folder that profiles are written to. */
    private static final String AFTER = "rjvm.test.after";
    /** Every test is measured. */
    private static final String ALL = "rjvm.test.measure";

    private final Method method;
    private final BytecodeBudget bytecodes;
    private final AllocationBudget allocations;
    private final MaxCalls[] calls;
    private final int warmups;
    private final Deterministic deterministic;
    private final Profiled profiled;

    private Rules(Method method, Class<?> type) {
        this.method = method;
        bytecodes = method.getAnnotation(BytecodeBudget.class);
        allocations = method.getAnnotation(AllocationBudget.class);
        calls = method.getAnnotationsByType(MaxCalls.class);
        WarmUp warm = method.getAnnotation(WarmUp.class);
        warmups = warm == null ? 0 : warm.value();
        deterministic = deterministic(method, type);
        profiled = annotation(Profiled.class, method, type);
    }

    /** Those of a method of a test class. */
    public static Rules of(Method method, Class<?> type) {
        return new Rules(method, type);
    }

    /** The annotation of the method, or else of its class or the classes around it. */
    public static Deterministic deterministic(Method method, Class<?> type) {
        return annotation(Deterministic.class, method, type);
    }

    private static <A extends Annotation> A annotation(Class<A> kind, Method method, Class<?> type) {
        A found = method == null ? null : method.getAnnotation(kind);
        for (Class<?> c = type; c != null && found == null; c = c.getEnclosingClass()) {
            found = c.getAnnotation(kind);
        }
        return found;
    }

    private boolean hasBudget() {
        return bytecodes != null || allocations != null || calls.length > 0;
    }

    /** Must it be measured? */
    public boolean measures() {
        return Meter.supported() && (hasBudget() || profiled != null || System.getProperty(ALL) != null);
    }

    /** How often the method is called before. */
    public int warmups() {
        return measures() ? warmups : 0;
    }

    /** What is said of a test when this VM can't run it as it is to be run; null if it can. */
    public String problem() {
        if (!Meter.supported()) {
            return null;
        }
        if (deterministic != null && Meter.seed() != deterministic.seed()) {
            return "@Deterministic(seed = " + deterministic.seed() + "): this VM is not deterministic with that seed; run it with: rjvm test";
        }
        if (hasBudget() && !Meter.contexts()) {
            return "budgets need counts of contexts and allocations; run it with: rjvm test, or with rjvm --profile=exact --allocations";
        }
        if (profiled != null && !Meter.contexts()) {
            return "@Profiled needs counts of contexts and allocations; run it with: rjvm test, or with rjvm --profile=exact --allocations";
        }
        return null;
    }

    /** What this JVM leaves out, since it is not rjvm; null if there is nothing. */
    public String leftOut() {
        if (Meter.supported()) {
            return null;
        }
        List<String> parts = new ArrayList<>();
        if (hasBudget()) {
            parts.add("budgets are not checked");
        }
        if (profiled != null) {
            parts.add("no profile is written");
        }
        if (deterministic != null) {
            parts.add("no seed applies");
        }
        return parts.isEmpty() ? null : "this JVM is not rjvm: " + String.join(", ", parts);
    }

    /**
     * Runs the test, and says what it counted: of the test method alone, and without loading and linking, if contexts are recorded. {@code name} is that of the test.
     *
     * @throws BudgetExceeded if it has done too much
     * @throws Throwable what the test throws
     */
    public Measurement run(String name, Body test) throws Throwable {
        Measurement[] measured = new Measurement[1];
        Meter.measured(test, measured);
        if (!Meter.contexts()) {
            return measured[0];
        }
        Measurement all = measured[0];
        Measurement own = all.below(method.getDeclaringClass().getName(), method.getName() + Descriptors.of(method));
        Measurement steady = own.steady();
        save(name, steady);
        write(name, own, steady);
        check(name, steady, own, all.bytecodesOfAllThreads() - all.bytecodes());
        return steady;
    }

    private void check(String name, Measurement steady, Measurement whole, long ofOtherThreads) {
        byte[] before = before(name);
        List<String> problems = new ArrayList<>();
        if (bytecodes != null) {
            Measurement own = bytecodes.loading() ? whole : steady;
            long count = own.bytecodes() + (bytecodes.allThreads() ? ofOtherThreads : 0);
            exceeded("bytecodes", count, bytecodes.max(), Explanation.BYTECODES, null, own, before, problems);
        }
        if (allocations != null) {
            Measurement own = allocations.loading() ? whole : steady;
            exceeded("objects", own.objects(), allocations.objects(), Explanation.OBJECTS, null, own, before, problems);
            exceeded("bytes", own.bytes(), allocations.bytes(), Explanation.BYTES, null, own, before, problems);
        }
        for (MaxCalls max : calls) {
            String what = "calls of " + max.method();
            exceeded(what, steady.calls(max.method()), max.n(), Explanation.CALLS, max.method(), steady, before, problems);
        }
        if (!problems.isEmpty()) {
            throw new BudgetExceeded(name + ": " + String.join("\n", problems));
        }
    }

    private static void exceeded(
            String what, long count, long max, int metric, String pattern, Measurement own, byte[] before, List<String> to) {
        if (count <= max) {
            return;
        }
        String more = String.format("%,d %s, the budget is %,d (+%,d, +%.2f%%)", count, what, max, count - max, 100.0 * (count - max) / max);
        to.add(more + "\n" + Explanation.of(own.profile(), before, metric, pattern));
    }

    private static byte[] before(String name) {
        String folder = System.getProperty(BEFORE);
        if (folder == null) {
            return null;
        }
        try {
            Path file = Paths.get(folder, Explanation.fileName0(name));
            return Files.exists(file) ? Files.readAllBytes(file) : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Writes the profile that the annotation asks for. */
    private void write(String name, Measurement whole, Measurement steady) throws IOException {
        if (profiled != null) {
            Path folder = Files.createDirectories(Paths.get(profiled.folder()));
            Files.write(folder.resolve(Explanation.fileName0(name)), (profiled.loading() ? whole : steady).profile());
        }
    }

    /** Leaves the profile, and the name it belongs to, for the program that has started the VM. */
    private static void save(String name, Measurement own) throws IOException {
        String folder = System.getProperty(AFTER);
        if (folder != null) {
            String file = Explanation.fileName0(name);
            Files.write(Paths.get(folder, file), own.profile());
            Files.write(Paths.get(folder, file + ".name"), name.getBytes("UTF-8"));
        }
    }
}
