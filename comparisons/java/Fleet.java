import java.io.PrintStream;
import java.lang.reflect.Method;

/** A service of the fleet: handles `args[1]` requests of the kind `args[0]`, a method of Work. */
public class Fleet {
    public static void main(String[] args) throws Exception {
        Method kind = work.Work.class.getMethod(args[0]);
        long sum = 0;
        for (int i = 0, n = Integer.parseInt(args[1]); i < n; i++) sum += request(kind);
        new PrintStream(System.out).println(sum);
    }

    static int request(Method kind) throws Exception {
        return (Integer) kind.invoke(null);
    }
}
