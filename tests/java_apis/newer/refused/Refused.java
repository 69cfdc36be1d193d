import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;

/** Since 22: functions of native libraries where they are refused. */
public class Refused {
    static void attempt(String what, Runnable action) {
        try {
            action.run();
            System.out.println(what + ": done");
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) {
        attempt("linker", Linker::nativeLinker);
        attempt("linker again", Linker::nativeLinker);
        attempt("library", () -> SymbolLookup.libraryLookup("libc.so.6", Arena.global()));
        attempt("library of the loader", () -> System.loadLibrary("no-such-library"));
        attempt("memory of nobody", () -> MemorySegment.ofAddress(1L << 30).reinterpret(8).get(ValueLayout.JAVA_BYTE, 0));
        attempt("own memory", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment text = arena.allocateFrom("text");
                System.out.println(text.getString(0) + " " + (text.address() >= 1L << 40));
            }
        });
    }
}
