import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedClassLoader;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** {@code Classes FILE}: each class that an event or a frame names, with its number, modifiers and loader: a line for each difference. */
public class Classes {
    static final Map<String, TreeSet<String>> found = new TreeMap<>();

    static void add(RecordedClass c) {
        RecordedClassLoader loader = c.getClassLoader();
        String by = loader == null ? "none" : loader.getName();
        found.computeIfAbsent(c.getName(), n -> new TreeSet<>()).add(c.getId() + "\t" + c.getModifiers() + "\t" + by);
    }

    public static void main(String[] args) throws Exception {
        try (RecordingFile file = new RecordingFile(Path.of(args[0]))) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                for (String field : new String[] {"loadedClass", "definedClass"}) {
                    if (event.hasField(field)) add(event.getValue(field));
                }
                if (event.getStackTrace() != null) {
                    event.getStackTrace().getFrames().forEach(f -> add(f.getMethod().getType()));
                }
                if (event.hasField("stack") && event.getValue("stack") instanceof jdk.jfr.consumer.RecordedStackTrace s) {
                    s.getFrames().forEach(f -> add(f.getMethod().getType()));
                }
            }
        }
        found.forEach((name, all) -> all.forEach(one -> System.out.println(name + "\t" + one)));
    }
}
