import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Recording;
import jdk.jfr.SettingControl;
import jdk.jfr.SettingDefinition;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import jdk.management.jfr.FlightRecorderMXBean;
import jdk.management.jfr.RecordingInfo;

/** Since 17. Streams of a program's own events, periodic events, events with settings of their own, events made at run time, and the bean. */
public class Streams {
    @Name("own.Tick")
    @StackTrace(false)
    static class Tick extends Event {
        int number;
        String text;
    }

    @Name("own.Periodic")
    @Period("100 ms")
    @StackTrace(false)
    static class Periodic extends Event {
        int number;
    }

    public static class Only extends SettingControl {
        private String value = "";

        @Override
        public String combine(java.util.Set<String> values) {
            return String.join(",", new java.util.TreeSet<>(values));
        }

        @Override
        public void setValue(String value) {
            this.value = value;
        }

        @Override
        public String getValue() {
            return value;
        }

        boolean fits(String text) {
            return value.isEmpty() || text.startsWith(value);
        }
    }

    @Name("own.Filtered")
    @StackTrace(false)
    public static class Filtered extends Event {
        String text;

        @Label("Only")
        @Name("only")
        @SettingDefinition
        protected boolean only(Only only) {
            return only.fits(text);
        }
    }

    static void stream() throws Exception {
        CountDownLatch seen = new CountDownLatch(5);
        List<String> lines = new ArrayList<>();
        try (RecordingStream stream = new RecordingStream()) {
            stream.enable(Tick.class);
            stream.onEvent("own.Tick", e -> {
                synchronized (lines) {
                    lines.add(e.getInt("number") + " " + e.getString("text") + " " + e.getThread().getJavaName());
                }
                seen.countDown();
            });
            stream.startAsync();
            for (int i = 0; i < 5; i++) {
                Tick tick = new Tick();
                tick.number = i;
                tick.text = "a text that is long enough for the pool " + i / 2;
                tick.commit();
                Thread.sleep(30);
            }
            seen.await();
        }
        lines.forEach(System.out::println);
    }

    static void periodic() throws Exception {
        AtomicInteger count = new AtomicInteger();
        CountDownLatch seen = new CountDownLatch(3);
        Runnable hook = () -> {
            Periodic p = new Periodic();
            p.number = count.incrementAndGet();
            p.commit();
            seen.countDown();
        };
        FlightRecorder.addPeriodicEvent(Periodic.class, hook);
        Path file = Files.createTempFile("periodic", ".jfr");
        try (Recording r = new Recording()) {
            r.enable(Periodic.class).withPeriod(Duration.ofMillis(50));
            r.start();
            seen.await();
            r.stop();
            r.dump(file);
        }
        System.out.println(FlightRecorder.removePeriodicEvent(hook) + " " + FlightRecorder.removePeriodicEvent(hook));
        int last = 0;
        boolean good = true;
        for (RecordedEvent e : RecordingFile.readAllEvents(file)) {
            if (e.getEventType().getName().equals("own.Periodic")) {
                good &= e.getInt("number") == ++last;
            }
        }
        System.out.println("periodic " + good + " " + (last >= 3));
        Files.delete(file);
    }

    static void settings() throws Exception {
        Path file = Files.createTempFile("settings", ".jfr");
        try (Recording r = new Recording()) {
            r.enable(Filtered.class).with("only", "yes");
            r.start();
            for (String text : new String[] {"yes 1", "no", "yes 2", "maybe"}) {
                Filtered f = new Filtered();
                f.text = text;
                System.out.println(text + " " + f.shouldCommit());
                f.commit();
            }
            r.stop();
            r.dump(file);
        }
        for (RecordedEvent e : RecordingFile.readAllEvents(file)) {
            if (e.getEventType().getName().equals("own.Filtered")) {
                System.out.println("recorded " + e.getString("text"));
            }
        }
        Files.delete(file);
    }

    static void factory() throws Exception {
        List<ValueDescriptor> fields = new ArrayList<>();
        fields.add(new ValueDescriptor(String.class, "message", List.of(new AnnotationElement(Label.class, "Message"))));
        fields.add(new ValueDescriptor(int.class, "count"));
        EventFactory factory = EventFactory.create(List.of(new AnnotationElement(Name.class, "own.Made"),
                new AnnotationElement(StackTrace.class, false)), fields);
        System.out.println(factory.getEventType().getName() + " " + factory.getEventType().getField("message").getLabel());
        Path file = Files.createTempFile("made", ".jfr");
        try (Recording r = new Recording()) {
            r.enable("own.Made");
            r.start();
            Event event = factory.newEvent();
            event.set(0, "hello");
            event.set(1, 42);
            event.commit();
            r.stop();
            r.dump(file);
        }
        for (RecordedEvent e : RecordingFile.readAllEvents(file)) {
            if (e.getEventType().getName().equals("own.Made")) {
                System.out.println("made " + e.getString("message") + " " + e.getInt("count"));
            }
        }
        factory.unregister();
        Files.delete(file);
    }

    static void bean() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        System.out.println(server.isRegistered(new ObjectName("jdk.management.jfr:type=FlightRecorder")));
        FlightRecorderMXBean bean = ManagementFactory.getPlatformMXBean(FlightRecorderMXBean.class);
        long id = bean.newRecording();
        bean.setRecordingOptions(id, Map.of("name", "by the bean", "dumpOnExit", "false"));
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("own.Tick#enabled", "true");
        bean.setRecordingSettings(id, settings);
        bean.startRecording(id);
        for (int i = 0; i < 3; i++) {
            Tick tick = new Tick();
            tick.number = i;
            tick.commit();
        }
        System.out.println(bean.stopRecording(id));
        for (RecordingInfo info : bean.getRecordings()) {
            System.out.println(info.getName() + " " + info.getState() + " " + info.getSettings() + " " + info.isToDisk());
        }
        Path file = Files.createTempFile("bean", ".jfr");
        bean.copyTo(id, file.toString());
        int ticks = 0;
        for (RecordedEvent e : RecordingFile.readAllEvents(file)) {
            if (e.getEventType().getName().equals("own.Tick")) {
                ticks++;
            }
        }
        System.out.println("ticks " + ticks);
        bean.closeRecording(id);
        System.out.println(bean.getRecordings().size() + " " + bean.getConfigurations().size());
        Files.delete(file);
    }

    public static void main(String[] args) throws Exception {
        FlightRecorder.addListener(new FlightRecorderListener() {
            @Override
            public void recorderInitialized(FlightRecorder recorder) {
                System.out.println("initialized");
            }

            @Override
            public void recordingStateChanged(Recording recording) {
                System.out.println("now " + recording.getState());
            }
        });
        stream();
        periodic();
        settings();
        factory();
        bean();
    }
}
