/** Registers a native method of the class library, and one of its own program. */
public class Platform {
    public static void main(String[] args) {
        System.loadLibrary("jnisuite");
        World.register(World.class, "registered", "(I)I", 0);
        World.register(Runtime.class, "availableProcessors", "()I", 0);
    }
}
