import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** {@code new java/lang/Class}: code that verifies, but classes are not made so. */
public class NewOfClass extends ClassLoader {
    static class Maker {
        static Object make() {
            return new FifteenLetters_();
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes;
        try (InputStream in = NewOfClass.class.getResourceAsStream("NewOfClass$Maker.class")) {
            bytes = in.readAllBytes();
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1).replace("FifteenLetters_", "java/lang/Class");
        bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        Class<?> maker = new NewOfClass().defineClass("NewOfClass$Maker", bytes, 0, bytes.length);
        var make = maker.getDeclaredMethod("make");
        make.setAccessible(true);
        for (int i = 0; i < 3; i++) {
            try {
                System.out.println(make.invoke(null));
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(e.getCause());
            }
        }
        System.gc();
        System.out.println("collected");
    }
}

class FifteenLetters_ {}
