import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Subclasses whose fields have the names and types of the private ones of the class library. */
public class SameNames {
    static class Worker extends Thread {
        String name = "mine";
        int priority = 99;
        int threadStatus = 77;
        long tid = -1;
        long eetop = 5;
        long stackSize = 1;
        boolean daemon = true;
        boolean stillborn = true;
        boolean interrupted = true;
        ThreadGroup group;
        Object parkBlocker = "none";

        @Override
        public void run() {
            System.out.println(getName() + " " + getPriority() + " " + isDaemon() + " " + getState());
            System.out.println(isInterrupted() + " " + getThreadGroup().getName());
        }
    }

    static class Group extends ThreadGroup {
        String name = "mine";
        ThreadGroup parent;

        Group(String name) {
            super(name);
        }
    }

    static class Failure extends RuntimeException {
        String detailMessage = "mine";
        Object backtrace = "mine";
        Throwable cause = this;
        StackTraceElement[] stackTrace = {};
        int depth = 100;

        Failure(String message) {
            super(message);
        }
    }

    static class Loader extends ClassLoader {
        ClassLoader parent;
        String name = "mine";
        String nameAndId = "mine";
        Module unnamedModule;

        Loader(ClassLoader parent) {
            super("theirs", parent);
        }
    }

    static class Weak extends WeakReference<Object> {
        Object referent = "mine";
        Object next = "mine";

        Weak(Object o) {
            super(o);
        }
    }

    static class In extends FileInputStream {
        FileDescriptor fd = new FileDescriptor();

        In(File file) throws IOException {
            super(file);
        }
    }

    static class Name extends File {
        String path = "/no/such/file";

        Name(File file) {
            super(file.getPath());
        }
    }

    static class Access extends RandomAccessFile {
        FileDescriptor fd;

        Access(File file) throws IOException {
            super(file, "rw");
        }
    }

    static class Expand extends Inflater {
        int inputConsumed = 1000;
        int outputConsumed = 1000;
    }

    public static void main(String[] args) throws Exception {
        Worker worker = new Worker();
        worker.setName("worker");
        worker.start();
        worker.join();
        System.out.println(worker.isAlive() + " " + worker.name + " " + worker.threadStatus);

        Thread inGroup = new Thread(new Group("group"), "thread");
        System.out.println(inGroup);

        try {
            throw new Failure("theirs");
        } catch (Failure e) {
            System.out.println(e.getMessage() + " " + e.getCause() + " " + e.getStackTrace().length);
        }

        Loader loader = new Loader(SameNames.class.getClassLoader());
        System.out.println(Class.forName("SameNames", false, loader) == SameNames.class);
        System.out.println(loader.getName() + " " + (loader.getParent() == SameNames.class.getClassLoader()));

        Object held = new Object();
        Weak weak = new Weak(held);
        System.out.println(weak.refersTo(held) + " " + weak.referent);
        weak.clear();
        System.out.println(weak.refersTo(null) + " " + weak.referent);

        Path path = Files.createTempFile("same", "names");
        try {
            Files.writeString(path, "contents");
            Name name = new Name(path.toFile());
            System.out.println(name.exists() + " " + name.length());
            try (In in = new In(name)) {
                System.out.println((char) in.read() + " " + in.available());
            }
            try (Access access = new Access(name)) {
                access.seek(3);
                System.out.println((char) access.read() + " " + access.length());
            }
        } finally {
            Files.delete(path);
        }

        Deflater deflater = new Deflater();
        deflater.setInput(new byte[500]);
        deflater.finish();
        byte[] small = new byte[100];
        int length = deflater.deflate(small);
        deflater.end();
        Inflater inflater = new Expand();
        inflater.setInput(small, 0, length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[64];
        while (!inflater.finished()) {
            out.write(buffer, 0, inflater.inflate(buffer));
        }
        inflater.end();
        System.out.println(out.size());

        throw new Failure("told by the VM");
    }
}
