import java.io.FileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import rjvm.agent.EventListener;
import rjvm.agent.Hit;
import rjvm.agent.Instrument;
import rjvm.agent.VM;

/** Plan blocks: places and removes them while the program runs, and writes what they were told. */
public class Plans implements EventListener {
    private final List<String> told = new ArrayList<>();
    private VM vm;
    private int blocks, calls, counter, timer;

    /** Says what it is told. */
    private final class Says implements Instrument {
        @Override public void before(Hit hit) {
            told.add("before " + vm.getMethodName(hit.method) + " " + Arrays.toString(hit.arguments));
        }

        @Override public void after(Hit hit) {
            String how = hit.thrown ? " throws " : " = ";
            told.add("after " + vm.getMethodName(hit.method) + how + hit.result + " " + hit.bytecodes + (hit.late ? " late" : ""));
        }
    }

    @Override public void begin(VM vm) {
        this.vm = vm;
        vm.enableEvent(VM.JVM_SHUT_DOWN);
        vm.addInstrument(new Says(), VM.AROUND, false, "Probed", "fact");
        vm.addInstrument(new Says(), VM.AFTER, false, "Probed", "fails");
        vm.addInstrument(new Instrument() {
            @Override public void before(Hit hit) {
                blocks++;
            }
        }, VM.BEFORE, true, "Probed", "inner");
        counter = vm.addInstrument(new Instrument() {
            @Override public void before(Hit hit) {
                if (++calls == 3) {
                    vm.removeInstrument(counter);
                    timer = vm.addInstrument(new Says(), VM.AROUND, false, "Probed", "outer");
                }
            }
        }, VM.BEFORE, false, "Probed", "inner");
        try {
            vm.addInstrument(new Says(), VM.AFTER, true, "Probed", "*");
        } catch (IllegalArgumentException e) {
            told.add(e.getMessage());
        }
    }

    @Override public void jvmShutDown() {
        told.add(blocks + " blocks, " + calls + " calls, instrument " + timer);
        try (FileWriter out = new FileWriter("plans.txt")) {
            for (String line : told) {
                out.write(line + "\n");
            }
        } catch (IOException e) {
            throw new RuntimeException(e);
        }
    }
}
