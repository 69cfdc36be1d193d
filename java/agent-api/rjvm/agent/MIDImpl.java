package rjvm.agent;

/** What identifies a method unless a {@link MIDFactory} of the user's says otherwise. */
public final class MIDImpl implements MID {
    final String className;
    final String methodNameSig;

    public MIDImpl(Class<?> c, String mns) {
        this(c.getName(), mns);
    }

    MIDImpl(String className, String mns) {
        this.className = className;
        this.methodNameSig = mns;
    }

    /** Name of the class as {@link Class#getName} has it: {@code java.util.Map$Entry}. */
    public String getClassName() {
        return className;
    }

    /** Name and descriptor of the method: {@code charAt(I)C}. */
    public String getMethodNameSig() {
        return methodNameSig;
    }

    @Override
    public String toString() {
        return className + "." + methodNameSig;
    }
}
