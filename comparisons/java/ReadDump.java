import java.io.File;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.HeapFactory;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.JavaClass;
import org.netbeans.lib.profiler.heap.ObjectArrayInstance;

/** Reads a heap dump with the parser of NetBeans and VisualVM: instances, a sum of fields, arrays, the nearest root. */
public class ReadDump {
    public static void main(String[] args) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(args[0]));
        for (String name : new String[] {"Dumped$Leaf", "Dumped$Branch", "Dumped$Leaf[]", "double[]"}) {
            JavaClass type = heap.getJavaClassByName(name);
            System.out.println(name + " " + (type == null ? "none" : name.equals("double[]") ? "present" : "" + type.getInstancesCount()));
        }
        long numbers = 0, weights = 0, leaves = 0;
        JavaClass leaf = heap.getJavaClassByName("Dumped$Leaf"), branch = heap.getJavaClassByName("Dumped$Branch");
        for (Object o : leaf.getInstances()) numbers += (Integer) ((Instance) o).getValueOfField("number");
        for (Object o : branch.getInstances()) {
            weights += (Long) ((Instance) o).getValueOfField("weight");
            for (Object l : ((ObjectArrayInstance) ((Instance) o).getValueOfField("leaves")).getValues()) leaves += l == null ? 0 : 1;
        }
        System.out.println("numbers " + numbers + " weights " + weights + " leaves " + leaves);
        Instance name = (Instance) ((Instance) leaf.getInstances().get(0)).getValueOfField("name");
        System.out.println(name.getJavaClass().getName() + " of a leaf");
        Instance root = ((Instance) leaf.getInstances().get(0)).getNearestGCRootPointer();
        System.out.println("path to a root " + (root != null));
        System.out.println(leaf.getSuperClass().getName() + " " + leaf.getFields().size() + " fields");
    }
}
