import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Since 17. Recordings whose events have no strings. */
public class OnlyNumbers {
    @Name("own.Count")
    @StackTrace(false)
    static class Count extends Event {
        int number;
        double half;
    }

    static void record(int from, int to) throws Exception {
        Path file = Files.createTempFile("numbers", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("own.Count");
            recording.start();
            for (int i = from; i < to; i++) {
                Count count = new Count();
                count.number = i;
                count.half = i / 2.0;
                count.commit();
            }
            recording.stop();
            recording.dump(file);
        }
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().equals("own.Count")) {
                System.out.println(event.getInt("number") + " " + event.getDouble("half"));
            }
        }
        Files.delete(file);
    }

    public static void main(String[] args) throws Exception {
        record(0, 0);
        record(1, 4);
        record(4, 6);
    }
}
