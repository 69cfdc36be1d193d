import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Arrays;

/** A program, and the agents that are started before it. */
public class Agents {
    static class Text {
    }

    static String text() {
        return "text to be seen";
    }

    public static void main(String[] args) throws Exception {
        System.out.println("main " + Arrays.toString(args) + " " + text() + " " + System.getProperty("java.class.path"));
        for (String name : new String[] {"Both", "One"}) {
            try {
                System.out.println(name + " " + (Class.forName(name).getClassLoader() == null));
            } catch (ClassNotFoundException e) {
                System.out.println("no " + name);
            }
        }
    }
}

class Both implements ClassFileTransformer {
    public static void premain(String options, Instrumentation i) {
        System.out.println("premain " + options + " " + i.isRedefineClassesSupported() + i.isRetransformClassesSupported()
                + i.isNativeMethodPrefixSupported() + " " + Thread.currentThread().getName());
        if ("throw".equals(options)) {
            throw new IllegalStateException("thrown by an agent");
        }
        if ("exit".equals(options)) {
            System.exit(3);
        }
        if ("upper".equals(options)) {
            i.addTransformer(new Both());
        }
    }

    public static void premain(String options) {
        System.out.println("never called");
    }

    public static void agentmain(String options, Instrumentation i) {
        System.out.println("agentmain " + options);
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] file) {
        if (!"Agents".equals(name)) {
            return null;
        }
        byte[] text = "text to be seen".getBytes();
        for (int at = 0; at + text.length <= file.length; at++) {
            if (Arrays.equals(file, at, at + text.length, text, 0, text.length)) {
                System.arraycopy("TEXT THAT IS SEEN".substring(0, text.length).getBytes(), 0, file, at, text.length);
            }
        }
        return file;
    }
}

class One {
    public static void premain(String options) {
        System.out.println("premain of one argument: [" + options + "]");
    }
}

class Hidden {
    static void premain(String options) {
    }
}

class Without {
}

class Booted {
    public static void premain(String options) throws Exception {
        System.out.println("booted " + (Class.forName("One").getClassLoader() == null));
    }
}

class Launched {
    public static void agentmain(String options, Instrumentation i) {
        System.out.println("launched [" + options + "] " + i.isRedefineClassesSupported());
        if (System.getProperty("throw") != null) {
            throw new IllegalStateException("thrown by an agent");
        }
    }

    public static void main(String[] args) {
        System.out.println("main");
    }
}
