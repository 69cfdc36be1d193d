/** An object in a class that is initialized when it is first needed, with no final field: who waits for that sees all that was done. */
public class ClassHolder {
    static class Settings {
        int size = 42;
        String name = "forty-two";
    }

    static class Holder {
        static Settings settings = new Settings();
    }

    public static void main(String[] args) {
        Runnable use = () -> {
            Settings found = Holder.settings;
            if (found == null || found.size != 42 || found.name == null) {
                throw new IllegalStateException("the initializer has not been seen");
            }
        };
        for (String name : new String[] {"a", "b", "c"}) {
            new Thread(use, name).start();
        }
    }
}
