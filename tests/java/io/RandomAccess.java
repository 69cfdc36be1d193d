import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** RandomAccessFile, FileChannel, mapped memory, locks, old File methods, file streams. */
public class RandomAccess {
    public static void main(String[] args) throws Exception {
        File f = File.createTempFile("rand", ".bin");
        f.deleteOnExit();
        try (RandomAccessFile r = new RandomAccessFile(f, "rw")) {
            r.writeInt(1);
            r.writeUTF("text");
            r.seek(20);
            r.writeDouble(2.5);
            System.out.println(r.length() + " " + r.getFilePointer());
            r.seek(0);
            System.out.println(r.readInt() + r.readUTF() + " " + r.skipBytes(100) + " " + r.read());
            r.setLength(6);
            System.out.println(r.length() + " " + r.getFilePointer());
            r.seek(1000);
            r.write(5);
            System.out.println(r.length());
            FileChannel c = r.getChannel();
            c.position(0);
            ByteBuffer b = ByteBuffer.allocate(8);
            System.out.println(c.read(b) + " " + b.flip() + " " + b.getInt() + " " + c.position() + " " + c.size());
            System.out.println(c.write(new ByteBuffer[] {ByteBuffer.wrap("abc".getBytes()), ByteBuffer.wrap("defg".getBytes(), 1, 2)}) + " " + c.position() + " " + c.write(ByteBuffer.wrap(new byte[] {'Z'}), 9) + " " + c.position());
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, 64);
            m.put(10, (byte) 'M');
            m.putLong(16, 0x1122334455667788L);
            m.force();
            ByteBuffer d = ByteBuffer.allocateDirect(32);
            c.read(d, 0);
            System.out.println(StandardCharsets.US_ASCII.decode(d.flip().slice(8, 5)) + " " + Long.toHexString(d.order(ByteOrder.LITTLE_ENDIAN).getLong(16)) + " " + m.isLoaded() + m.capacity());
            c.truncate(11);
            System.out.println(c.size() + " " + c.position());
            try (FileLock l = c.lock()) {
                System.out.println(l.isValid() + " " + l.isShared() + " " + l.size());
                try {
                    c.tryLock();
                } catch (OverlappingFileLockException e) {
                    System.out.println("overlapping");
                }
            }
            Path copy = f.toPath().resolveSibling(f.getName() + ".copy");
            try (FileChannel o = FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
                System.out.println(c.transferTo(0, 100, o) + " " + o.transferFrom(Channels.newChannel(new ByteArrayInputStream(new byte[5])), 11, 50) + " " + o.size());
                try {
                    o.read(ByteBuffer.allocate(1));
                } catch (NonReadableChannelException e) {
                    System.out.println("not readable");
                }
            }
            System.out.println(Files.exists(copy));
            c.close();
            try {
                r.read();
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
            try {
                c.size();
            } catch (ClosedChannelException e) {
                System.out.println("closed " + c.isOpen());
            }
        }
        try (FileOutputStream o = new FileOutputStream(f); FileOutputStream app = new FileOutputStream(f, true)) {
            o.write("first".getBytes());
            app.write(" then".getBytes());
            System.out.println(o.getChannel().position() + " " + o.getFD().valid());
        }
        try (FileInputStream i = new FileInputStream(f)) {
            System.out.println(i.available() + " " + (char) i.read() + i.skip(4) + new String(i.readAllBytes()) + i.read());
        }
        try (FileReader r = new FileReader(f); FileWriter w = new FileWriter(f, true)) {
            w.write("é");
            w.flush();
            System.out.println(new BufferedReader(r).readLine());
        }
        System.out.println(f.length() + " " + f.exists() + f.isFile() + f.canRead() + f.setReadOnly() + f.setWritable(true) + f.setLastModified(1000000) + f.lastModified());
        File g = new File(f.getParentFile(), f.getName() + "-dir");
        System.out.println(g.mkdir() + " " + g.mkdir() + " " + new File(g, "x/y").mkdirs() + " " + Arrays.toString(g.list()) + " " + g.delete() + " " + new File(g, "x/y").renameTo(new File(g, "z")) + " " + new File(g, "x").delete() + new File(g, "z").delete() + g.delete() + " " + create(new File(g, "n")));
    }

    static String create(File f) {
        try {
            return "" + f.createNewFile();
        } catch (IOException e) {
            return e.getMessage();
        }
    }
}
