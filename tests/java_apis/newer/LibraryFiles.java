import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.Security;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Since 25. Events of the class library in a program's own recording: files, sockets, exceptions, objects that are read, pinned threads. */
public class LibraryFiles {
    static final String NAME = "data.bin";

    static class Unhappy extends Exception {
        Unhappy(String text) {
            super(text);
        }
    }

    static String shown(RecordedEvent event, String field) {
        Object value = event.getValue(field);
        if (value instanceof String s && s.contains("/")) {
            return s.substring(s.lastIndexOf('/') + 1);
        }
        return value instanceof jdk.jfr.consumer.RecordedClass c ? c.getName() : String.valueOf(value);
    }

    static void print(RecordedEvent event, String... fields) {
        StringBuilder line = new StringBuilder(event.getEventType().getName());
        for (String field : fields) {
            line.append(' ').append(field).append('=').append(shown(event, field));
        }
        if (event.getStackTrace() != null) {
            List<RecordedFrame> frames = event.getStackTrace().getFrames();
            RecordedFrame top = frames.get(0);
            line.append(" at ").append(top.getMethod().getType().getName()).append('.').append(top.getMethod().getName());
            for (RecordedFrame frame : frames) {
                if (frame.getMethod().getType().getName().equals("LibraryFiles")) {
                    line.append(" line ").append(frame.getLineNumber());
                    break;
                }
            }
        }
        System.out.println(line);
    }

    static void files(Path file) throws Exception {
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(new byte[100]);
            out.write(7);
        }
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            byte[] all = new byte[64];
            while (in.read(all) > 0) {
            }
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(10), 5);
            channel.read(ByteBuffer.allocate(20));
            channel.force(true);
        }
        try (RandomAccessFile random = new RandomAccessFile(file.toFile(), "rw")) {
            random.seek(90);
            random.readInt();
            random.writeByte(1);
        }
    }

    static void sockets() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    socket.getOutputStream().write(new byte[33]);
                } catch (Exception e) {
                    System.out.println(e);
                }
            });
            thread.start();
            try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                thread.join();
                System.out.println(socket.getInputStream().readAllBytes().length);
            }
        }
    }

    static void exceptions() {
        try {
            throw new Unhappy("not so good");
        } catch (Unhappy e) {
            System.out.println(e.getMessage());
        }
        try {
            throw new AssertionError("an error");
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
    }

    static void objects() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new ArrayList<>(List.of("a", "b")));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            System.out.println(in.readObject());
        }
        Security.setProperty("own.property", "value");
    }

    static void pinned() throws Exception {
        Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
        Thread thread = Thread.ofVirtual().name("pinned").start(() -> {
            try {
                continuation.getMethod("pin").invoke(null);
                Thread.sleep(3);
                continuation.getMethod("unpin").invoke(null);
            } catch (ReflectiveOperationException | InterruptedException e) {
                System.out.println(e);
            }
        });
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("library");
        Path file = folder.resolve(NAME);
        Path dump = folder.resolve("all.jfr");
        try (Recording recording = new Recording()) {
            for (String name : List.of("FileRead", "FileWrite", "FileForce", "SocketRead", "SocketWrite", "JavaExceptionThrow", "JavaErrorThrow", "Deserialization",
                    "SecurityPropertyModification", "VirtualThreadPinned")) {
                recording.enable("jdk." + name).withoutThreshold().withStackTrace();
            }
            recording.start();
            files(file);
            sockets();
            exceptions();
            objects();
            pinned();
            recording.stop();
            recording.dump(dump);
        }
        List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(dump));
        events.sort(Comparator.comparing(RecordedEvent::getStartTime));
        for (RecordedEvent event : events) {
            switch (event.getEventType().getName()) {
                case "jdk.FileRead" -> {
                    if (shown(event, "path").equals(NAME)) {
                        print(event, "path", "bytesRead", "endOfFile");
                    }
                }
                case "jdk.FileWrite" -> {
                    if (shown(event, "path").equals(NAME)) {
                        print(event, "path", "bytesWritten");
                    }
                }
                case "jdk.FileForce" -> print(event, "path", "metaData");
                case "jdk.SocketRead" -> print(event, "address", "bytesRead", "endOfStream");
                case "jdk.SocketWrite" -> print(event, "address", "bytesWritten");
                case "jdk.JavaExceptionThrow" -> {
                    if (shown(event, "thrownClass").startsWith("LibraryFiles")) {
                        print(event, "message", "thrownClass");
                    }
                }
                case "jdk.JavaErrorThrow" -> {
                    if (shown(event, "thrownClass").equals("java.lang.AssertionError")) {
                        print(event, "message", "thrownClass");
                    }
                }
                case "jdk.Deserialization" -> print(event, "type", "arrayLength", "depth");
                case "jdk.SecurityPropertyModification" -> print(event, "key", "value");
                case "jdk.VirtualThreadPinned" -> {
                    String carrier = event.getThread("carrierThread").getJavaName();
                    System.out.println(event.getThread().getJavaName() + " " + carrier.startsWith("ForkJoinPool") + " " + (event.getDuration().toMillis() >= 2));
                    print(event, "blockingOperation", "pinnedReason");
                }
                default -> { }
            }
        }
        for (Path p : List.of(file, dump, folder)) {
            Files.delete(p);
        }
    }
}
