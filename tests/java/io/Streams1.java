import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Byte and character streams in memory: data, buffered, pushback, sequence, piped, print, line numbers, mark and reset. */
public class Streams1 {
    interface Body { Object run() throws Exception; }
    static void show(String what, Body b) {
        try {
            System.out.println(what + " = " + b.run());
        } catch (Exception e) {
            System.out.println(what + " -> " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    static InputStream in(int... bytes) {
        byte[] b = new byte[bytes.length];
        for (int i = 0; i < b.length; i++) b[i] = (byte) bytes[i];
        return new ByteArrayInputStream(b);
    }

    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(out);
        d.writeByte(-1);
        d.writeShort(-2);
        d.writeChar('é');
        d.writeInt(0x12345678);
        d.writeLong(Long.MIN_VALUE + 5);
        d.writeFloat(1.5f);
        d.writeDouble(-0.0);
        d.writeBoolean(true);
        d.writeUTF("a\0é€😀");
        d.writeBytes("bytes");
        d.writeChars("ch");
        System.out.println(d.size() + " " + HexFormat.of().formatHex(out.toByteArray()));
        DataInputStream r = new DataInputStream(new ByteArrayInputStream(out.toByteArray()));
        System.out.println(r.readByte() + " " + r.readShort() + " " + r.readChar() + " " + r.readInt() + " " + r.readLong() + " " + r.readFloat() + " " + r.readDouble() + " " + r.readBoolean() + " " + r.readUTF().length() + " " + new String(r.readNBytes(5)) + " " + r.readChar() + r.available());
        show("eof", () -> { r.readChar(); return r.readInt(); });
        show("bad utf", () -> new DataInputStream(in(0, 2, 0xc3, 0x28)).readUTF());
        show("long utf", () -> { new DataOutputStream(new ByteArrayOutputStream()).writeUTF("x".repeat(70000)); return 0; });
        show("readFully", () -> { byte[] b = new byte[5]; new DataInputStream(in(1, 2, 3)).readFully(b); return 0; });
        show("buffered", () -> { BufferedInputStream b = new BufferedInputStream(in(1, 2, 3, 4, 5), 2); b.read(); b.mark(3); int s = b.read() * 10 + b.read(); b.reset(); return s + " " + b.read() + " " + b.skip(1) + b.available() + b.read() + b.read() + b.read() + b.markSupported(); });
        show("mark lost", () -> { BufferedInputStream b = new BufferedInputStream(in(new int[100]), 4); b.mark(2); b.readNBytes(50); b.reset(); return 0; });
        show("pushback", () -> { PushbackInputStream p = new PushbackInputStream(in(7, 8), 2); int x = p.read(); p.unread(x); p.unread(99); return p.read() + " " + p.read() + " " + p.read() + " " + p.read(); });
        show("pushback full", () -> { PushbackInputStream p = new PushbackInputStream(in(7)); p.unread(1); p.unread(2); return 0; });
        show("sequence", () -> new String(new SequenceInputStream(in('a', 'b'), new SequenceInputStream(in(), in('c'))).readAllBytes()));
        show("transfer", () -> { ByteArrayOutputStream o = new ByteArrayOutputStream(); return in(5, 6, 7).transferTo(o) + " " + o.size() + " " + Arrays.toString(o.toByteArray()); });
        show("null streams", () -> InputStream.nullInputStream().read() + " " + Reader.nullReader().read());
        show("reader", () -> { BufferedReader b = new BufferedReader(new StringReader("one\r\ntwo\rthree\n\nend")); return b.readLine() + "|" + b.readLine() + "|" + (char) b.read() + b.readLine() + "|" + b.readLine() + "|" + b.readLine() + "|" + b.readLine(); });
        show("line numbers", () -> { LineNumberReader l = new LineNumberReader(new StringReader("a\nb\r\nc")); l.readLine(); l.readLine(); return l.getLineNumber() + " " + l.lines().count(); });
        show("decoder", () -> { InputStreamReader i = new InputStreamReader(new ByteArrayInputStream("é😀z".getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8); return i.read() + " " + i.read() + " " + i.read() + " " + i.read() + " " + i.read() + " " + i.getEncoding(); });
        show("string writer", () -> { StringWriter w = new StringWriter(); PrintWriter p = new PrintWriter(w); p.printf("%d-%s", 1, "x").append('c').append("seq", 1, 2).println(2.5f); p.println(new char[] {'o', 'k'}); p.print((Object) null); p.flush(); return w.toString().replace("\n", "/") + p.checkError(); });
        show("char arrays", () -> { CharArrayWriter w = new CharArrayWriter(); w.write("hello", 1, 3); CharArrayReader c = new CharArrayReader(w.toCharArray()); c.mark(0); c.skip(2); int last = c.read(); c.reset(); return (char) last + "" + (char) c.read() + w.size() + c.ready(); });
        show("print stream", () -> { ByteArrayOutputStream o = new ByteArrayOutputStream(); PrintStream p = new PrintStream(o, true, "UTF-16BE"); p.print("é"); p.print('c'); p.print(1L); p.println(true); p.write(7); p.append("x"); return HexFormat.of().formatHex(o.toByteArray()); });
        show("closed reader", () -> { Reader c = new StringReader("x"); c.close(); return c.read(); });
        show("closed writer", () -> { PrintWriter p = new PrintWriter(new StringWriter()); p.close(); p.print("x"); return p.checkError(); });
        show("failing", () -> { PrintStream p = new PrintStream(new OutputStream() { public void write(int b) throws IOException { throw new IOException("disk full"); } }); p.println("x"); return p.checkError(); });
        PipedInputStream pi = new PipedInputStream(16);
        PipedOutputStream po = new PipedOutputStream(pi);
        Thread t = new Thread(() -> { try (po) { for (int i = 0; i < 100; i++) po.write(i); } catch (IOException e) { System.out.println(e); } });
        t.start();
        int sum = 0, n = 0;
        for (int b; (b = pi.read()) >= 0; n++) sum += b;
        t.join();
        System.out.println(n + " " + sum);
        PrintStream old = System.out;
        ByteArrayOutputStream cap = new ByteArrayOutputStream();
        System.setOut(new PrintStream(cap));
        System.out.println("captured");
        System.setOut(old);
        System.out.println(cap.toString().trim() + " " + cap.size());
        show("stdin", () -> System.in.read() + " " + System.in.available());
        System.err.println("to standard error");
        System.out.write('o');
        System.out.write(new byte[] {'k', '\n'});
        System.out.flush();
    }
}
