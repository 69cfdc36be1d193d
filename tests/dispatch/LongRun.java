import java.lang.reflect.Method;
import java.security.AccessController;
import java.security.PrivilegedAction;

/** Tens of millions of bytecodes of every kind that dispatches: loops, calls, throws, upcalls. */
public class LongRun {
    interface Step {
        int apply(int x);
    }

    static int field;
    long wide;

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int depth(int n) {
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    /** Array elements and fields of each width. */
    static int memory(int rounds) {
        byte[] bytes = new byte[16];
        short[] shorts = new short[16];
        char[] chars = new char[16];
        int[] ints = new int[16];
        long[] longs = new long[16];
        float[] floats = new float[16];
        double[] doubles = new double[16];
        Object[] objects = new Object[16];
        LongRun self = new LongRun();
        for (int i = 0; i < rounds; i++) {
            int k = i & 15;
            bytes[k] += i;
            shorts[k] += bytes[k];
            chars[k] += shorts[k];
            ints[k] += chars[k];
            longs[k] ^= ints[k] * 31L;
            floats[k] = floats[k] / 2 + k;
            doubles[k] += floats[k] % 3;
            objects[k] = objects[(k + 1) & 15] == null ? ints : longs;
            self.wide += longs[k];
            field += objects[k] instanceof int[] ? 1 : 2;
            switch (k) {
                case 0: field++; break;
                case 3: field--; break;
                case 1000: field = 0; break;
            }
        }
        return (int) self.wide + (int) doubles[3] + field;
    }

    static int calls(int rounds) {
        Step[] steps = {x -> x + 1, x -> x * 3, x -> x ^ 0x55, Integer::reverse};
        int x = 1;
        for (int i = 0; i < rounds; i++) {
            x = steps[i & 3].apply(x);
        }
        return x;
    }

    /** Each kind of exception that a handler throws. */
    static int faults(int rounds) {
        int[] array = new int[4];
        Object object = array;
        int caught = 0;
        for (int i = 0; i < rounds; i++) {
            try {
                switch (i & 3) {
                    case 0: array[i | 4]++; break;
                    case 1: caught += ((String) object).length(); break;
                    case 2: caught += i / (i & 1); break;
                    default: throw null;
                }
            } catch (ArrayIndexOutOfBoundsException e) {
                caught += 1;
            } catch (ClassCastException e) {
                caught += 3;
            } catch (ArithmeticException e) {
                caught += 5;
            } catch (NullPointerException e) {
                caught += 7;
            }
        }
        return caught;
    }

    /** Java code called by natives, allocation, monitors. */
    static int upcalls(int rounds) throws Exception {
        Method fib = LongRun.class.getDeclaredMethod("fib", int.class);
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += (Integer) fib.invoke(null, i & 7);
            sum += AccessController.doPrivileged((PrivilegedAction<Integer>) () -> 1);
            synchronized (new int[i & 31]) {
                sum++;
            }
        }
        return sum;
    }

    static int run() throws Exception {
        int result = fib(25);
        result = result * 31 + memory(300_000);
        result = result * 31 + calls(1_000_000);
        result = result * 31 + faults(40_000);
        result = result * 31 + upcalls(40_000);
        for (int i = 0; i < 100; i++) {
            result = result * 31 + depth(2_000);
        }
        return result;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(run());
    }
}
