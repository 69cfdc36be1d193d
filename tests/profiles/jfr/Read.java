import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** {@code Read FILE EVENT THREAD FIELD...}: for each thread and stack, outermost frame first, the number of events and sums of fields. */
public class Read {
    public static void main(String[] args) throws Exception {
        Map<String, long[]> sums = new TreeMap<>();
        try (RecordingFile file = new RecordingFile(Path.of(args[0]))) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (!event.getEventType().getName().equals(args[1])) {
                    continue;
                }
                RecordedThread thread = event.getValue(args[2]);
                StringBuilder path = new StringBuilder(thread == null ? "-" : thread.getOSName());
                var frames = event.getStackTrace().getFrames();
                for (int i = frames.size() - 1; i >= 0; i--) {
                    RecordedFrame frame = frames.get(i);
                    RecordedMethod m = frame.getMethod();
                    path.append(' ').append(m.getType().getName()).append('.').append(m.getName()).append(m.getDescriptor());
                }
                long[] sum = sums.computeIfAbsent(path.toString(), p -> new long[args.length - 2]);
                sum[0]++;
                for (int i = 3; i < args.length; i++) {
                    sum[i - 2] += event.getLong(args[i]);
                }
            }
        }
        sums.forEach((path, sum) -> {
            StringBuilder line = new StringBuilder();
            for (long n : sum) {
                line.append(n).append('\t');
            }
            System.out.println(line.append(path));
        });
    }
}
