import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes a known number of objects, and dumps the heap to a file. */
public class Dumped {
    static class Leaf {
        int number;
        String name;
    }

    static class Branch {
        Leaf[] leaves = new Leaf[3];
        long weight;
    }

    static final List<Branch> KEPT = new ArrayList<>();
    static final Map<String, double[]> TABLE = new HashMap<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 700; i++) {
            Branch branch = new Branch();
            branch.weight = i;
            for (int j = 0; j < 3; j++) {
                branch.leaves[j] = new Leaf();
                branch.leaves[j].number = 3 * i + j;
                branch.leaves[j].name = "leaf " + i;
            }
            KEPT.add(branch);
        }
        for (int i = 0; i < 50; i++) TABLE.put("k" + i, new double[i]);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
    }
}
