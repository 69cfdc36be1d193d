import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A program that is its own agent, and class files with other texts in them. */
class OwnAgent {
    static final String REDEFINE = "Can-Redefine-Classes", RETRANSFORM = "Can-Retransform-Classes",
        PREFIX = "Can-Set-Native-Method-Prefix";

    /** A jar with these class files, of an agent (null: of none) that may do so much. */
    static Path jar(String agent, List<String> permits, Map<String, byte[]> classes) throws Exception {
        Path jar = Files.createTempFile("agent", ".jar");
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (agent != null) {
            main.putValue("Agent-Class", agent);
        }
        for (String permit : permits) {
            main.putValue(permit, "true");
        }
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream made = new JarOutputStream(out, manifest)) {
            made.putNextEntry(new JarEntry("empty/"));
            for (Map.Entry<String, byte[]> c : classes.entrySet()) {
                made.putNextEntry(new JarEntry(c.getKey() + ".class"));
                made.write(c.getValue());
            }
        }
        return jar;
    }

    /** Attaches this program to itself, with a class of its own as the agent. */
    static void attach(String agent, String options, String... permits) throws Exception {
        Path jar = jar(agent, List.of(permits), Map.of());
        VirtualMachine vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
        vm.loadAgent(jar.toString(), options);
        vm.detach();
        Files.delete(jar);
    }

    /** A class gets the methods and fields of another. */
    static ClassDefinition definition(Class<?> old, Class<?> with) throws Exception {
        String from = with.getName(), to = old.getName();
        return new ClassDefinition(old, renamed(bytesOf(from), text -> text.replace(from, to)));
    }

    static byte[] bytesOf(String name) throws Exception {
        try (InputStream in = OwnAgent.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }

    /** A class file with the texts of its constant pool replaced. */
    static byte[] renamed(byte[] file, UnaryOperator<String> texts) throws Exception {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(in.readLong());
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1 -> out.writeUTF(texts.apply(in.readUTF()));
                case 3, 4, 9, 10, 11, 12, 17, 18 -> out.writeInt(in.readInt());
                case 5, 6 -> {
                    out.writeLong(in.readLong());
                    i++;
                }
                case 7, 8, 16, 19, 20 -> out.writeShort(in.readUnsignedShort());
                case 15 -> {
                    out.writeByte(in.readByte());
                    out.writeShort(in.readUnsignedShort());
                }
                default -> throw new IllegalStateException("tag " + tag);
            }
        }
        out.write(in.readAllBytes());
        return bytes.toByteArray();
    }
}
