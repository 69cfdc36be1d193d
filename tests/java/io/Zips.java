import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.jar.*;
import java.util.zip.*;

/** Deflater and Inflater, GZIP, zip and jar files, the zip file system, manifests, corrupted input. */
public class Zips {
    static byte[] text(int n) {
        StringBuilder s = new StringBuilder();
        for (int i = 0; s.length() < n; i++) s.append("line ").append(i * 7919 % 1000).append(" of some text\n");
        return s.substring(0, n).getBytes();
    }

    public static void main(String[] args) throws Exception {
        byte[] data = text(50000);
        for (int level : new int[] {0, 1, 6, 9}) {
            Deflater d = new Deflater(level, level == 9);
            d.setInput(data);
            d.finish();
            byte[] out = new byte[60000];
            int n = d.deflate(out);
            Inflater i = new Inflater(level == 9);
            i.setInput(out, 0, n);
            byte[] back = new byte[50000];
            int m = i.inflate(back);
            System.out.println(level + " " + (n < 50000) + " " + m + " " + Arrays.equals(data, back) + " " + d.finished() + i.finished() + " " + d.getTotalIn() + " " + (i.getTotalOut() == m) + " " + (level == 9 ? 0 : d.getAdler() == i.getAdler() ? 1 : 2));
            d.end();
            i.end();
        }
        Inflater bad = new Inflater();
        bad.setInput(new byte[] {1, 2, 3, 4});
        try { bad.inflate(new byte[10]); } catch (DataFormatException e) { System.out.println(e.getMessage()); }
        Deflater dict = new Deflater();
        dict.setDictionary("some text".getBytes());
        dict.setInput("some text some text".getBytes());
        dict.finish();
        byte[] small = new byte[100];
        int len = dict.deflate(small);
        Inflater need = new Inflater();
        need.setInput(small, 0, len);
        System.out.println(need.inflate(new byte[50]) + " " + need.needsDictionary());
        need.setDictionary("some text".getBytes());
        byte[] got = new byte[50];
        System.out.println(new String(got, 0, need.inflate(got)));
        ByteArrayOutputStream gz = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(gz)) { g.write(data, 0, 1000); }
        System.out.println(new GZIPInputStream(new ByteArrayInputStream(gz.toByteArray())).readAllBytes().length);
        byte[] broken = gz.toByteArray();
        broken[broken.length - 5]++;
        try { new GZIPInputStream(new ByteArrayInputStream(broken)).readAllBytes(); } catch (ZipException e) { System.out.println(e.getMessage()); }
        try { new GZIPInputStream(new ByteArrayInputStream(new byte[20])); } catch (ZipException e) { System.out.println(e.getMessage()); }
        Path dir = Files.createTempDirectory("zips"), zip = dir.resolve("a.zip");
        try (ZipOutputStream z = new ZipOutputStream(Files.newOutputStream(zip))) {
            z.setComment("comment");
            ZipEntry e = new ZipEntry("dir/über.txt");
            e.setTime(1_000_000_000_000L);
            e.setExtra(new byte[] {1, 0, 1, 0, 9});
            z.putNextEntry(e);
            z.write(data);
            z.closeEntry();
            ZipEntry stored = new ZipEntry("stored");
            stored.setMethod(ZipEntry.STORED);
            stored.setSize(3);
            CRC32 c = new CRC32();
            c.update("abc".getBytes());
            stored.setCrc(c.getValue());
            z.putNextEntry(stored);
            z.write("abc".getBytes());
            try { z.putNextEntry(new ZipEntry("stored")); } catch (ZipException x) { System.out.println(x.getMessage()); }
            z.putNextEntry(new ZipEntry("empty/"));
        }
        try (ZipFile f = new ZipFile(zip.toFile())) {
            List<String> names = new ArrayList<>();
            f.stream().forEach(e -> names.add(e.getName() + ":" + e.getSize() + ":" + e.getMethod() + ":" + Long.toHexString(e.getCrc()) + ":" + e.isDirectory()));
            System.out.println(names + " " + f.size() + " " + f.getComment() + " " + f.getEntry("none") + " " + Arrays.equals(data, f.getInputStream(f.getEntry("dir/über.txt")).readAllBytes()) + " " + f.getEntry("empty").getName());
        }
        try (ZipInputStream z = new ZipInputStream(Files.newInputStream(zip))) {
            StringBuilder s = new StringBuilder();
            for (ZipEntry e; (e = z.getNextEntry()) != null; ) s.append(e.getName()).append('=').append(z.readAllBytes().length).append(' ');
            System.out.println(s);
        }
        try (FileSystem fs = FileSystems.newFileSystem(zip)) {
            Files.writeString(fs.getPath("/new.txt"), "added");
            Files.delete(fs.getPath("stored"));
            System.out.println(Files.readString(fs.getPath("new.txt")) + " " + Files.size(fs.getPath("/dir/über.txt")) + " " + Files.isDirectory(fs.getPath("/dir")));
        }
        Manifest man = new Manifest();
        man.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        man.getMainAttributes().putValue("Long-Value", "x".repeat(100));
        man.getEntries().put("sec", new Attributes());
        man.getEntries().get("sec").putValue("K", "v");
        Path jar = dir.resolve("b.jar");
        try (JarOutputStream j = new JarOutputStream(Files.newOutputStream(jar), man)) { j.putNextEntry(new JarEntry("x.txt")); j.write(1); }
        try (JarFile j = new JarFile(jar.toFile())) {
            System.out.println(j.getManifest().getMainAttributes().getValue("long-value").length() + " " + j.getManifest().getAttributes("sec").getValue("k") + " " + j.getJarEntry("x.txt").getCompressedSize() + " " + j.stream().map(JarEntry::getName).toList() + j.isMultiRelease());
        }
        Files.write(zip, new byte[] {'P', 'K', 3, 4, 0});
        try { new ZipFile(zip.toFile()); } catch (ZipException e) { System.out.println(e.getMessage()); }
        Files.write(zip, new byte[0]);
        try { new ZipFile(zip.toFile()); } catch (ZipException e) { System.out.println(e.getMessage()); }
        Files.delete(zip);
        Files.delete(jar);
        Files.delete(dir);
        ByteArrayOutputStream cs = new ByteArrayOutputStream();
        CheckedOutputStream co = new CheckedOutputStream(cs, new Adler32());
        co.write(data, 0, 100);
        System.out.println(co.getChecksum().getValue() + " " + new InflaterInputStream(new DeflaterInputStream(new ByteArrayInputStream(data))).readAllBytes().length);
    }
}
