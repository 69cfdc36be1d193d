import java.io.FileWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import rjvm.agent.EventListener;
import rjvm.agent.VM;

/** Counts events, keeps a table of objects, switches kinds while the program runs, and writes what it has seen at the end. */
public class Listens implements EventListener {
    private VM vm;
    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<Integer, Integer> objects = new HashMap<>();
    private final Map<Integer, String> arenas = new TreeMap<>();
    private String trace = "", monitors = "", threads = "", contended = "", gate = "", dumps = "";
    private long entries, bytecodes;
    private int unknown;

    private void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    @Override public void begin(VM vm) {
        this.vm = vm;
        for (int kind = 0; kind <= VM.HEAP_DUMP; kind++) {
            if (kind != VM.INSTRUCTION_START && kind != VM.METHOD_ENTRY && kind != VM.METHOD_EXIT) vm.enableEvent(kind);
        }
    }

    @Override public void jvmInitDone() {
        count("init");
    }

    @Override public void threadStart(int thread, String name) {
        threads += name + " ";
        if (name.equals("one")) vm.enableEvent(VM.METHOD_ENTRY);
    }

    @Override public void threadEnd(int thread) {
        count("threadEnd");
    }

    @Override public void classLoad(int cls, String name) {
        if (!vm.getClassName(cls).equals(name)) count("wrong name");
        count("classLoad");
    }

    @Override public byte[] classLoadHook(String name, byte[] file) {
        count("hook");
        if (!"Listened$Word".equals(name)) return null;
        for (int i = 0; i + 6 < file.length; i++) {
            if (new String(file, i, 6, java.nio.charset.StandardCharsets.ISO_8859_1).equals("before")) {
                System.arraycopy(new byte[] {'b', 'e', 'h', 'i', 'n', 'd'}, 0, file, i, 6);
                return file;
            }
        }
        return null;
    }

    @Override public void newArena(int arena, String name) {
        arenas.put(arena, name);
    }

    @Override public void deleteArena(int arena) {
        if (arenas.remove(arena) == null) count("wrong arena");
    }

    @Override public void objectAlloc(int arena, int object, int cls, int size) {
        count("alloc");
        if (objects.put(object, size) != null) count("wrong alloc");
        if (counts.get("alloc") % 1000 == 0 && vm.getObjectClass(object).isEmpty()) count("wrong class");
    }

    @Override public void objectMove(int arena, int object, int newArena, int newObject) {
        count("move");
        Integer size = objects.remove(object);
        if (size == null) {
            unknown++;
        } else if (objects.put(newObject, size) != null) {
            count("wrong move");
        }
    }

    @Override public void objectFree(int object) {
        count("free");
        if (objects.remove(object) == null) unknown++;
    }

    @Override public void gcFinish(long usedObjects, long usedObjectSpace, long totalObjectSpace) {
        count("gc");
        if (usedObjects <= 0 || usedObjectSpace <= 0 || usedObjectSpace > totalObjectSpace) count("wrong gc");
    }

    @Override public void methodEntry(int method) {
        String name = vm.getMethodName(method);
        if (++entries == 2000) {
            trace = String.join("|", vm.getCallTrace(3));
            bytecodes = vm.getCurrentThreadBytecodes();
            vm.disableEvent(VM.METHOD_ENTRY);
        }
    }

    @Override public void monitorContendedEnter(int object, int owner) {
        count("enter");
        contended = vm.getObjectClass(object) + " of " + vm.getThreadName(owner);
        monitors = vm.dumpMonitors();
        if (gate.isEmpty()) {
            gate = vm.dumpObject(object);
            vm.requestHeapDump("contended.hprof");
            vm.requestHeapDump("no/such/folder/x.hprof");
        }
    }

    @Override public void heapDump(String file, long bytes) {
        dumps += file + (bytes > 100_000 ? " written " : bytes + " ");
    }

    @Override public void monitorContendedEntered(int object) {
        count("entered");
    }

    @Override public void monitorWait(int object, long timeout) {
        count("wait");
    }

    @Override public void monitorWaited(int object, boolean timedOut) {
        count("waited");
    }

    @Override public void jvmShutDown() {
        try (FileWriter out = new FileWriter("listens.txt")) {
            out.write("counts " + counts + "\nunknown " + (unknown < counts.get("alloc") / 2) + "\narenas " + arenas
                    + "\nthreads " + threads + "\ncontended " + contended + "\ntrace " + trace + "\nentries " + entries
                    + "\nbytecodes " + (bytecodes > 0 && vm.getBytecodes() >= bytecodes) + "\ngate " + gate + "\ndumps " + dumps + "\nmonitors "
                    + monitors.contains("to enter: ") + "\n");
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
