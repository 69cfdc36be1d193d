/** Names that are longer than a class file can say. */
public class LongNames {
    static class Loader extends ClassLoader {
        Class<?> system(String name) throws ClassNotFoundException {
            return findSystemClass(name);
        }

        Class<?> loaded(String name) {
            return findLoadedClass(name);
        }
    }

    static void shown(String what, Throwable t) {
        String text = String.valueOf(t.getMessage());
        System.out.println(what + ": " + t.getClass().getName() + " " + text.length() + " " + text.substring(0, 60) + " "
                + text.substring(text.length() - 10));
    }

    public static void main(String[] args) {
        String[] names = {"x".repeat(65_535), "x".repeat(65_536), "a.b." + "x".repeat(65_532), "a." + "x".repeat(1_000_000),
                "[La." + "y".repeat(65_530) + ";", "[La." + "y".repeat(65_531) + ";", "[[L" + "y".repeat(65_533) + ";",
                "[[I" + "x".repeat(70_000), "a/" + "x".repeat(70_000)};
        Loader loader = new Loader();
        for (String name : names) {
            String what = name.substring(0, 6) + " " + name.length();
            try {
                Class.forName(name);
            } catch (Throwable t) {
                shown(what, t);
            }
            try {
                loader.system(name);
            } catch (Throwable t) {
                shown(what + " by a loader", t);
            }
            System.out.println(loader.loaded(name));
        }
    }
}
