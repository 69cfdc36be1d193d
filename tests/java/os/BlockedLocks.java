import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ExecutionException;

/** Another process holds the lock of a file; who waits for it is closed, interrupted, and gets it in the end. */
public class BlockedLocks {
    static Thread locking(FileChannel c) {
        Thread t = new Thread(() -> {
            try (FileLock l = c.lock()) {
                System.out.println("locked " + l.isValid() + " " + l.isShared());
            } catch (Exception e) {
                System.out.println(e + " " + Thread.currentThread().isInterrupted());
            }
        });
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            try (FileChannel c = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE); FileLock l = c.lock()) {
                System.out.println("held");
                System.in.read();
            }
            return;
        }
        Path file = Files.createTempFile("locks", null);
        String vm = ProcessHandle.current().info().command().get();
        Process holder = new ProcessBuilder(vm, "-cp", System.getProperty("java.class.path"), "BlockedLocks", file.toString()).start();
        System.out.println(new BufferedReader(new InputStreamReader(holder.getInputStream())).readLine());
        try (FileChannel c = FileChannel.open(file, StandardOpenOption.WRITE)) {
            System.out.println("tryLock " + c.tryLock());
            Thread t = locking(c);
            Thread.sleep(200);
            c.close();
            t.join();
        }
        try (FileChannel c = FileChannel.open(file, StandardOpenOption.WRITE)) {
            Thread t = locking(c);
            Thread.sleep(200);
            t.interrupt();
            t.join();
            System.out.println("open " + c.isOpen());
        }
        try (AsynchronousFileChannel c = AsynchronousFileChannel.open(file, StandardOpenOption.WRITE)) {
            var lock = c.lock();
            Thread.sleep(200);
            c.close();
            try {
                lock.get();
            } catch (ExecutionException e) {
                System.out.println(e.getCause());
            }
        }
        try (FileChannel c = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Thread t = locking(c);
            Thread.sleep(100);
            holder.getOutputStream().close();
            t.join();
        }
        System.out.println("holder " + holder.waitFor());
        Files.delete(file);
    }
}
