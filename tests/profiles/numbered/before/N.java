import java.util.function.*;
import java.lang.reflect.*;
public class N {
  enum E { A, B }
  interface Op { int a(int x); }
  static int run(IntUnaryOperator f, int n) { int s = 0; for (int i = 0; i < n; i++) s += f.applyAsInt(i); return s; }
  static int sw(E e) { switch (e) { case A: return 1; default: return 2; } }
  static Supplier<Integer> field = () -> 7;
  final Op inst = new Op() { public int a(int x) { return x + 5; } };
  static int over(int a) { return run(x -> x + a, 10); }
  static int over(long a) { return run(x -> x - (int) a, 10); }
  public static void main(String[] a) throws Exception {
    int t = 0;
    t += run(x -> { IntUnaryOperator g = y -> y * 3; return run(g, 3) + x; }, 10);
    t += run(x -> { Op o = new Op() { public int a(int q) { return run(z -> z ^ q, 4); } }; return o.a(x); }, 10);
    class Local { int go(int k) { return k + new Op() { public int a(int x) { return x * x; } }.a(k); } }
    for (int i = 0; i < 10; i++) t += new Local().go(i);
    Op o = new Op() { public int a(int q) { int s = 0; for (int i = 0; i < 5; i++) s += q; return s; } };
    for (int i = 0; i < 100; i++) t += o.a(i);
    Runnable p = (Runnable) Proxy.newProxyInstance(N.class.getClassLoader(), new Class<?>[] { Runnable.class }, (x, m, r) -> null);
    for (int i = 0; i < 20; i++) p.run();
    t += sw(E.A) + field.get() + new N().inst.a(3) + over(3) + over(4L);
    System.out.println(t);
  }
}
