import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** Since 25. Events of the class library in a program's own recording: sleep, start and end of virtual threads, and what pins them. */
public class LibraryEvents {
    static String callers(RecordedEvent event) {
        if (event.getStackTrace() == null) {
            return "no stack";
        }
        List<String> own = new ArrayList<>();
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            if (frame.getMethod().getType().getName().equals("LibraryEvents")) {
                own.add(frame.getMethod().getName() + ":" + frame.getLineNumber());
            }
        }
        return "stack " + own;
    }

    static void print(RecordedEvent event) {
        RecordedThread thread = event.getThread();
        String line = event.getEventType().getName() + " by " + thread.getJavaName() + " virtual " + thread.isVirtual() + " " + callers(event);
        if (event.hasField("time")) {
            line += " sleeps " + event.getDuration("time").toMillis() + " " + (event.getDuration().toNanos() >= event.getDuration("time").toNanos());
        }
        if (event.hasField("javaThreadId")) {
            line += " " + (event.getLong("javaThreadId") == thread.getJavaThreadId());
        }
        System.out.println(line);
    }

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }

    static List<RecordedEvent> record(Recording recording, Runnable work) throws Exception {
        Path file = Files.createTempFile("library", ".jfr");
        try (recording) {
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
        Files.delete(file);
        events.removeIf(e -> e.getEventType().getName().startsWith("jdk.Active"));
        events.sort(Comparator.comparing(RecordedEvent::getStartTime));
        return events;
    }

    static void work() {
        sleep(12);
        Thread thread = Thread.ofVirtual().name("one").start(() -> sleep(3));
        try {
            thread.join();
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
        thread = new Thread(() -> sleep(2), "two");
        thread.start();
        try {
            thread.join();
            thread = Thread.ofVirtual().name("three").start(() -> LockSupport.parkNanos(1_000_000));
            thread.join();
            thread = Thread.ofVirtual().name("in a monitor").start(() -> {
                synchronized (LibraryEvents.class) {
                    LockSupport.parkNanos(1_000_000);
                }
            });
            thread.join();
            thread = Thread.ofVirtual().name("four").start(() -> Thread.currentThread().interrupt());
            thread.join();
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }

    public static void main(String[] args) throws Exception {
        Recording all = new Recording();
        for (String name : List.of("ThreadSleep", "VirtualThreadStart", "VirtualThreadEnd", "VirtualThreadPinned")) {
            all.enable("jdk." + name).withoutThreshold().withStackTrace();
        }
        record(all, LibraryEvents::work).forEach(LibraryEvents::print);

        Recording some = new Recording();
        some.enable("jdk.VirtualThreadEnd");
        some.enable("jdk.ThreadSleep").withoutStackTrace().withThreshold(java.time.Duration.ofSeconds(100));
        record(some, LibraryEvents::work).forEach(LibraryEvents::print);

        Recording shorter = new Recording();
        shorter.enable("jdk.ThreadSleep").withoutStackTrace().withThreshold(java.time.Duration.ofMillis(1));
        record(shorter, LibraryEvents::work).forEach(LibraryEvents::print);

        System.out.println(record(new Recording(), LibraryEvents::work).size());
    }
}
