import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Runs the programs whose classes it is given, so many rounds each, and prints what each first and last round leaves behind. */
public class Driver {
    static String text(Object value) {
        if (value == null) return "null";
        if (value instanceof Float f && f.isNaN() || value instanceof Double d && d.isNaN()) return "NaN";
        return value instanceof Number ? value.toString() : value.getClass().getName();
    }

    static String outcome(Method entry) throws IllegalAccessException {
        try {
            return text(entry.invoke(null));
        } catch (InvocationTargetException e) {
            return "throws " + e.getCause().getClass().getName();
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        for (int i = 1; i < args.length; i++) {
            Class<?> program = Class.forName(args[i]);
            Method entry = null;
            for (Method m : program.getMethods())
                if (m.getName().equals("m0")) entry = m;
            String last = null;
            for (int round = 0; round < rounds; round++) {
                last = outcome(entry);
                if (round == 0) System.out.println(args[i] + " " + last);
            }
            StringBuilder statics = new StringBuilder();
            for (String name : new String[] {"si", "sj", "sf", "sd"}) statics.append(' ').append(text(program.getField(name).get(null)));
            System.out.println(args[i] + " " + last + statics);
        }
    }
}
