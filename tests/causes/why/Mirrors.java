import java.lang.reflect.Method;

/** Planted: a method is looked up by its name for each call. */
public class Mirrors {
    public static int twice(int n) {
        return n * 2;
    }

    static int call(String name, int n) throws Exception {
        Method m = Mirrors.class.getMethod(name, int.class); // planted
        return n < 0 ? m.getParameterCount() : twice(n);
    }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < 5_000; i++) {
            sum += call("twice", i);
        }
        System.out.println(sum);
    }
}
