import java.util.*;

/** With a security manager the VM asks the loader's checkPackageAccess: when a class of another domain is resolved, once for each class and domain. */
@SuppressWarnings("removal")
public class PackageChecks {
    static final Set<String> PACKAGES = Set.of("java.math", "java.text", "java.util.zip", "java.util.jar", "java.util.function");
    static final List<String> asked = new ArrayList<>();
    static boolean on, forbidden;
    public static class Manager extends SecurityManager {
        @Override public void checkPermission(java.security.Permission p) {}
        @Override public void checkPackageAccess(String p) {
            if (!on || !PACKAGES.contains(p)) return;
            on = false;
            boolean vm = false;
            for (StackTraceElement e : new Throwable().getStackTrace()) vm |= e.getMethodName().equals("checkPackageAccess") && e.getClassName().equals("java.lang.ClassLoader");
            asked.add((vm ? "VM " : "") + p);
            on = true;
            if (forbidden && vm) throw new SecurityException("no access to " + p);
        }
    }
    static void show(String what) {
        on = false;
        System.out.println(what + " " + asked);
        asked.clear();
        on = true;
    }
    static class Before { static Object make() { return new java.math.BigInteger("1"); } }
    static class After { static Object make() { return new java.math.BigInteger("1"); } }
    static class First { static Object make() { return new java.math.BigDecimal("1"); } }
    static class Second { static Object make() { return java.math.BigDecimal.ONE; } }
    static class Arrays_ { static Object make() { return new java.util.zip.CRC32[0][0]; } static Object one() { return new java.util.zip.CRC32(); } }
    static class Types { void m(java.util.zip.Inflater i) {} java.util.zip.Deflater f; Types(java.util.zip.ZipFile z) {} }
    static class Lambda { static Object make() { java.util.function.LongBinaryOperator f = (a, b) -> a; return f; } }
    static class Verified { Number pick(boolean b) { java.util.zip.Checksum c = b ? new java.util.zip.CRC32C() : new java.util.zip.CRC32(); return c.getValue(); } }
    static class Forbidden { static Object make() { return java.util.jar.Attributes.Name.MAIN_CLASS; } static Object other() { return java.util.jar.Attributes.Name.CLASS_PATH; } }

    public static void main(String[] args) throws Throwable {
        on = true;
        Before.make();
        show("one class");
        After.make();
        show("another class of its domain");
        First.make();
        show("first");
        First.make();
        show("again");
        Second.make();
        show("in another class");
        Arrays_.make();
        show("array");
        Arrays_.one();
        show("element");
        Class.forName("java.text.Collator");
        show("forName");
        Class.forName("java.text.Collator");
        show("forName again");
        Types.class.getDeclaredMethods();
        show("methods");
        Types.class.getDeclaredFields();
        show("fields");
        Types.class.getDeclaredConstructors();
        show("constructors");
        Lambda.make();
        show("lambda");
        new Verified().pick(true);
        show("verified");
        forbidden = true;
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Forbidden.make());
            } catch (SecurityException e) {
                System.out.println(e.getMessage());
            }
            show("forbidden");
        }
        forbidden = false;
        System.out.println(Forbidden.make());
        show("allowed");
        System.out.println(Forbidden.other());
        show("allowed again");
    }
}
