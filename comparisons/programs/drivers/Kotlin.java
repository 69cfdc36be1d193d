import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/** Compiles a program of Kotlin, and runs it. */
public class Kotlin {
    public static void main(String[] args) throws Exception {
        Path source = Path.of("Main.kt");
        Files.writeString(source, """
            sealed interface Shape
            data class Circle(val r: Double) : Shape
            data class Box(val w: Double, val h: Double) : Shape
            fun area(s: Shape) = when (s) { is Circle -> 3.0 * s.r * s.r; is Box -> s.w * s.h }
            inline fun <reified T> only(l: List<Any>) = l.filterIsInstance<T>()
            fun fibs() = sequence { var a = 0; var b = 1; while (true) { yield(a); val c = a + b; a = b; b = c } }
            fun main() {
                println(listOf(Circle(2.0), Box(2.0, 3.5)).map(::area))
                println(only<Circle>(listOf("x", Circle(1.0))))
                println(fibs().take(12).toList())
                val (a, b) = Box(1.0, 2.0)
                println("$a and $b")
            }
            """);
        ExitCode code = new K2JVMCompiler().exec(System.out, "-no-stdlib", "-no-reflect", "-cp", System.getProperty("java.class.path"), "-d", "out", source.toString());
        System.out.println(code);
        try (var loader = new URLClassLoader(new URL[] {new File("out/").toURI().toURL()})) {
            loader.loadClass("MainKt").getMethod("main").invoke(null);
        }
        System.exit(0);
    }
}
