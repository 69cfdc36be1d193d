import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compiles a program of Scala 3, and runs it. */
public class Scala {
    public static void main(String[] args) throws Exception {
        Path source = Path.of("Main.scala");
        Files.createDirectories(Path.of("out"));
        Files.writeString(source, """
            enum Tree[+A]:
              case Leaf
              case Node(l: Tree[A], v: A, r: Tree[A])
            import Tree.*
            def put[A](t: Tree[A], a: A)(using o: Ordering[A]): Tree[A] = t match
              case Leaf => Node(Leaf, a, Leaf)
              case Node(l, v, r) => if o.lt(a, v) then Node(put(l, a), v, r) else Node(l, v, put(r, a))
            extension [A](t: Tree[A]) def list: List[A] = t match
              case Leaf => Nil
              case Node(l, v, r) => l.list ::: v :: r.list
            given show: Conversion[Int, String] = i => "n" + i
            @main def run(): Unit =
              println(List(5, 2, 9, 1).foldLeft(Leaf: Tree[Int])(put(_, _)).list)
              println(for x <- 1 to 3; y <- x to 3 if x + y == 4 yield (x, y))
              println(LazyList.from(1).map(i => i * i).takeWhile(_ < 50).toList)
            """);
        dotty.tools.dotc.Main.process(new String[] {"-usejavacp", "-language:implicitConversions", "-d", "out", source.toString()});
        try (var loader = new URLClassLoader(new URL[] {new File("out/").toURI().toURL()})) {
            loader.loadClass("run").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        }
    }
}
