import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/** Accessors that reflection generates after some calls cast to the program's own array classes. */
public class InflatedArrays {
    final int n;

    public InflatedArrays(InflatedArrays[] parts) { n = parts.length; }

    public static int count(InflatedArrays[][] all, InflatedArrays one) { return all.length + one.n; }

    public static void main(String[] args) throws Exception {
        Constructor<?> make = InflatedArrays.class.getConstructor(InflatedArrays[].class);
        Method count = InflatedArrays.class.getMethod("count", InflatedArrays[][].class, InflatedArrays.class);
        int sum = 0;
        for (int i = 0; i < 40; i++) {
            Object one = make.newInstance((Object) new InflatedArrays[i]);
            sum += (int) count.invoke(null, new InflatedArrays[3][i], one);
        }
        System.out.println(sum);
    }
}
