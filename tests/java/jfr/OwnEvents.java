import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** Since 17. Events of a program's own: all types of fields, settings, a dumped recording, and what its reader finds in it. */
public class OwnEvents {
    @Name("own.Everything")
    @Label("Everything")
    @Category({"Own", "Tests"})
    static class Everything extends Event {
        static int made;
        static {
            made = 1;
            for (int i = 0; i < 3; i++) {
                made += i;
            }
        }
        @Label("A Number")
        int number;
        boolean flag;
        byte small;
        short medium;
        char letter;
        long big;
        float single;
        double twice;
        String text;
        Class<?> type;
        Thread thread;
        transient int left;
        static int shared;
    }

    @Name("own.Quiet")
    @StackTrace(false)
    static class Quiet extends Event {
        int number;
    }

    @Name("own.Off")
    @Enabled(false)
    static class Off extends Event {
        int number;
    }

    @Name("own.Long")
    @Threshold("1 h")
    static class Long extends Event {
        int number;
    }

    @Name("own.Sub")
    static class Sub extends Quiet {
        String more;
    }

    abstract static class Shape extends Event {
        @Label("Area")
        int area;
    }

    @Name("own.Square")
    static class Square extends Shape {
        int side;
    }

    static void commit(int n, String text) {
        Everything e = new Everything();
        e.begin();
        e.number = n;
        e.flag = n % 2 == 1;
        e.small = (byte) -n;
        e.medium = (short) (n * 1000);
        e.letter = (char) ('a' + n);
        e.big = 1L << (n * 9);
        e.single = n / 4f;
        e.twice = -n / 8.0;
        e.text = text;
        e.type = n % 2 == 0 ? String.class : int[].class;
        e.thread = Thread.currentThread();
        e.end();
        e.commit();
    }

    static String shown(Object value) {
        if (value instanceof RecordedThread t) {
            return "thread " + t.getJavaName() + " in " + (t.getThreadGroup() == null ? null : t.getThreadGroup().getName());
        }
        if (value instanceof RecordedClass c) {
            return "class " + c.getName();
        }
        if (value instanceof String s && s.length() > 60) {
            return s.length() + " characters " + s.hashCode();
        }
        return String.valueOf(value);
    }

    static void print(RecordedEvent event) {
        StringBuilder line = new StringBuilder(event.getEventType().getName());
        line.append(" by ").append(event.getThread() == null ? null : event.getThread().getJavaName());
        for (ValueDescriptor field : event.getFields()) {
            String name = field.getName();
            if (name.equals("startTime") || name.equals("duration") || name.equals("eventThread") || name.equals("stackTrace")) {
                continue;
            }
            line.append(' ').append(name).append('=').append(shown(event.getValue(name)));
        }
        System.out.println(line);
        if (event.getStackTrace() != null) {
            List<RecordedFrame> frames = event.getStackTrace().getFrames();
            System.out.println("  truncated " + event.getStackTrace().isTruncated() + " " + (frames.size() >= 64));
            for (RecordedFrame frame : frames.subList(0, Math.min(frames.size(), 4))) {
                String type = frame.getMethod().getType().getName();
                if (!type.equals("OwnEvents")) {
                    continue;
                }
                System.out.println("  " + frame.getMethod().getType().getName() + "." + frame.getMethod().getName()
                        + frame.getMethod().getDescriptor() + " line " + frame.getLineNumber() + " java " + frame.isJavaFrame());
            }
        }
    }

    static void deep(int n) {
        if (n == 0) {
            commit(9, "deep");
        } else {
            deep(n - 1);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(FlightRecorder.isAvailable() + " " + FlightRecorder.isInitialized());
        Everything before = new Everything();
        System.out.println(before.isEnabled() + " " + before.shouldCommit() + " " + Everything.made);
        before.commit();
        Path file = Files.createTempFile("own", ".jfr");
        try (Recording recording = new Recording()) {
            recording.setName("mine");
            recording.enable(Everything.class);
            recording.enable("own.Quiet");
            System.out.println(recording.getState() + " " + recording.getName() + " " + recording.getSettings().size());
            recording.start();
            System.out.println(recording.getState() + " " + FlightRecorder.getFlightRecorder().getRecordings().size());
            System.out.println(new Everything().isEnabled() + " " + new Quiet().isEnabled() + " " + new Off().isEnabled()
                    + " " + new Long().isEnabled() + " " + new Long().shouldCommit());
            commit(0, null);
            commit(1, "");
            commit(2, "short");
            for (int i = 0; i < 3; i++) {
                commit(3, "a string that is so long that it is pooled");
            }
            commit(4, "x".repeat(20_000));
            commit(5, "\u00e4\u20ac\ud83d\ude00");
            deep(100);
            Thread other = new Thread(() -> commit(6, "other"), "another thread");
            other.start();
            other.join();
            for (int i = 0; i < 3; i++) {
                Quiet quiet = new Quiet();
                quiet.number = i;
                quiet.commit();
            }
            new Off().commit();
            new Long().commit();
            Sub sub = new Sub();
            sub.number = 7;
            sub.more = "more";
            sub.commit();
            Square square = new Square();
            square.side = 3;
            square.area = 9;
            square.commit();
            recording.disable("own.Quiet");
            System.out.println(new Quiet().isEnabled());
            new Quiet().commit();
            recording.stop();
            System.out.println(recording.getState() + " " + (recording.getSize() > 1000));
            recording.dump(file);
            System.out.println(new Everything().isEnabled());
        }
        System.out.println(FlightRecorder.getFlightRecorder().getRecordings());
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        List<RecordedEvent> own = new ArrayList<>();
        for (RecordedEvent event : events) {
            if (event.getEventType().getName().startsWith("own.")) {
                own.add(event);
            }
        }
        System.out.println(own.size());
        own.sort(Comparator.comparing(RecordedEvent::getStartTime));
        own.forEach(OwnEvents::print);
        List<EventType> types = new ArrayList<>(FlightRecorder.getFlightRecorder().getEventTypes());
        types.sort(Comparator.comparing(EventType::getName));
        for (EventType type : types) {
            if (type.getName().startsWith("own.")) {
                System.out.println(type.getName() + " " + type.getLabel() + " " + type.getCategoryNames() + " "
                        + type.getSettingDescriptors().size() + " " + type.isEnabled() + " " + type.getFields().size());
            }
        }
        try (RecordingFile reader = new RecordingFile(file)) {
            types = new ArrayList<>(reader.readEventTypes());
            types.sort(Comparator.comparing(EventType::getName));
            for (EventType type : types) {
                if (type.getName().startsWith("own.")) {
                    System.out.println(type.getName() + " " + type.getFields().size());
                }
            }
        }
        if (args.length > 0) {
            Files.copy(file, Path.of(args[0]), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        Files.delete(file);
    }
}
