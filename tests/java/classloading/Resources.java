import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Resources on the class path: by class, by loader, enumerated, from the JDK, bundles with parents and formats. */
public class Resources {
    static String read(InputStream in) throws IOException {
        if (in == null) return null;
        try (in) { return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim(); }
    }

    public static class Bundle extends ListResourceBundle {
        protected Object[][] getContents() { return new Object[][] {{"k", "from class"}, {"n", 42}, {"arr", new String[] {"x", "y"}}}; }
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = Resources.class;
        ClassLoader l = c.getClassLoader();
        System.out.println(read(c.getResourceAsStream("data/hello.txt")) + " | " + read(c.getResourceAsStream("/data/hello.txt")) + " | " + read(l.getResourceAsStream("data/hello.txt")) + " | " + read(l.getResourceAsStream("/data/hello.txt")) + " | " + read(ClassLoader.getSystemResourceAsStream("data/hello.txt")) + " | " + read(c.getResourceAsStream("none")));
        URL u = l.getResource("data/hello.txt");
        System.out.println(u.getProtocol() + " " + u.getPath().endsWith("/data/hello.txt") + " " + u.openConnection().getContentLength() + " " + l.getResource("none") + " " + Collections.list(l.getResources("data/hello.txt")).size() + " " + l.resources("none").count());
        DataInputStream cls = new DataInputStream(c.getResourceAsStream("Resources.class"));
        System.out.println(Integer.toHexString(cls.readInt()) + " " + cls.readUnsignedShort() + " " + cls.readUnsignedShort());
        URL jrt = Object.class.getResource("Object.class");
        System.out.println(jrt.getProtocol() + " " + jrt.getPath() + " " + (Object.class.getResourceAsStream("Object.class").readAllBytes().length > 500) + " " + String.class.getResource("none") + " " + ClassLoader.getSystemResource("java/util/List.class").getPath());
        Locale.setDefault(Locale.ROOT);
        for (Locale x : new Locale[] {Locale.ROOT, Locale.FRENCH, Locale.CANADA_FRENCH, Locale.GERMAN}) {
            ResourceBundle b = ResourceBundle.getBundle("data.Msg", x);
            System.out.println("[" + x + "] " + b.getString("hello") + " " + b.getString("only") + " " + b.getLocale() + " " + new TreeSet<>(b.keySet()));
        }
        try {
            ResourceBundle.getBundle("data.Msg").getString("absent");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        try {
            ResourceBundle.getBundle("data.None", Locale.US);
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        ResourceBundle b = ResourceBundle.getBundle("Resources$Bundle");
        System.out.println(b.getString("k") + " " + b.getObject("n") + " " + b.getStringArray("arr").length + " " + b.containsKey("zz") + " " + (ResourceBundle.getBundle("Resources$Bundle") == b));
        try (URLClassLoader ucl = new URLClassLoader("urls", new URL[] {new URL(u.toString().replace("hello.txt", ""))}, null)) {
            System.out.println(read(ucl.getResourceAsStream("hello.txt")) + " " + ucl.getName() + " " + ucl.findResource("none") + " " + ucl.getURLs().length);
            try {
                ucl.loadClass("Resources");
            } catch (ClassNotFoundException e) {
                System.out.println(e.getMessage());
            }
        }
        URL own = new URL("mem", "host", 5, "/file", new URLStreamHandler() {
            protected URLConnection openConnection(URL u) {
                return new URLConnection(u) {
                    public void connect() { }
                    public InputStream getInputStream() { return new ByteArrayInputStream(("content of " + url).getBytes()); }
                };
            }
        });
        System.out.println(read(own.openStream()));
    }
}
