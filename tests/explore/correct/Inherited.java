import java.util.*;

/** Variables that a thread has from the one that starts it. */
public class Inherited {
    public static void main(String[] args) throws Exception {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        local.set("a");
        Thread t = Check.start(() -> {
            Check.that(local.get().equals("a"), local.get());
            local.set("b");
        });
        Check.join(t);
        Check.that(local.get().equals("a"), local.get());
    }
}
