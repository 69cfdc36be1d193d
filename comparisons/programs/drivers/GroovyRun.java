import groovy.lang.Binding;
import groovy.lang.GroovyShell;

/** Compiles and runs a script: closures, a category of methods at run time, traits, statically compiled code. */
public class GroovyRun {
    public static void main(String[] args) {
        Binding binding = new Binding();
        binding.setVariable("n", 12);
        Object result = new GroovyShell(binding).evaluate("""
            import groovy.transform.*
            trait Named { String name; String hi() { "hi ${name}" } }
            @ToString @EqualsAndHashCode class Cat implements Named { int age }
            @CompileStatic int fib(int i) { i < 2 ? i : fib(i - 1) + fib(i - 2) }
            def cats = (1..3).collect { new Cat(age: it, name: "c$it") }
            println cats*.hi()
            println cats
            String.metaClass.shout = { -> delegate.toUpperCase() + '!' }
            println 'quiet'.shout()
            println cats.groupBy { it.age % 2 }.collectEntries { k, v -> [k, v.sum { it.age }] }
            try { 1.unknown() } catch (MissingMethodException e) { println e.message.readLines()[0] }
            fib(n)
            """);
        System.out.println(result);
    }
}
