import java.io.File;
import java.util.TreeMap;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.item.ItemToolkit;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/** Reads a recording with JMC's parser: the number of events of each type, and of samples by their top method. */
public class Recording {
    public static void main(String[] args) throws Exception {
        IItemCollection items = JfrLoaderToolkit.loadEvents(new File(args[0]));
        var types = new TreeMap<String, Long>();
        var tops = new TreeMap<String, Long>();
        for (var iterable : items) {
            var type = iterable.getType();
            var stack = type.getAccessor(JfrAttributes.EVENT_STACKTRACE.getKey());
            for (var item : iterable) {
                types.merge(type.getIdentifier(), 1L, Long::sum);
                if (!type.getIdentifier().equals("jdk.ExecutionSample") || stack == null) continue;
                var trace = (org.openjdk.jmc.common.IMCStackTrace) ((org.openjdk.jmc.common.item.IMemberAccessor) stack).getMember(item);
                tops.merge(trace.getFrames().get(0).getMethod().getMethodName(), 1L, Long::sum);
            }
        }
        types.forEach((k, v) -> System.out.println("type " + k + " " + v));
        tops.forEach((k, v) -> System.out.println("top " + k + " " + v));
    }
}
