import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes class files that count for themselves: each method enters its context, each basic block adds its length to it. A block that an
 * exception leaves counts as a whole.
 */
final class Counters {
    private static final String NODE = "java/lang/CallNode";
    private final int first;
    private final List<String> methods = new ArrayList<>();

    /** @param first the number of the first method */
    Counters(int first) {
        this.first = first;
    }

    /** The names of the methods, by number from the first one on. */
    synchronized List<String> methods() {
        return new ArrayList<>(methods);
    }

    /** The class file with counters. */
    synchronized byte[] add(byte[] file) {
        ClassNode type = new ClassNode();
        new ClassReader(file).accept(type, ClassReader.EXPAND_FRAMES);
        List<String> names = new ArrayList<>();
        for (MethodNode method : type.methods) {
            if (method.instructions.size() > 0) {
                count(method, first + methods.size() + names.size());
                names.add(type.name + "." + method.name + method.desc);
            }
        }
        if (type.name.equals("java/lang/Thread")) {
            type.fields.add(new FieldNode(Opcodes.ACC_PUBLIC | Opcodes.ACC_TRANSIENT, "callNode", "L" + NODE + ";", null, null));
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        type.accept(writer);
        byte[] written = writer.toByteArray();
        methods.addAll(names);
        return written;
    }

    private static void count(MethodNode method, int number) {
        int node = method.maxLocals;
        method.maxLocals++;
        Set<AbstractInsnNode> leaders = leaders(method);
        Set<AbstractInsnNode> handlers = new HashSet<>();
        for (TryCatchBlockNode handler : method.tryCatchBlocks) {
            handlers.add(real(handler.handler));
        }
        AbstractInsnNode block = null;
        int length = 0;
        for (AbstractInsnNode at : method.instructions.toArray()) {
            if (at instanceof FrameNode frame) {
                extend(frame, node);
            }
            if (at.getOpcode() < 0) {
                continue;
            }
            if (leaders.contains(at)) {
                add(method, block, length, node, handlers.contains(block));
                block = at;
                length = 0;
            }
            length++;
            if (at.getOpcode() >= Opcodes.IRETURN && at.getOpcode() <= Opcodes.RETURN) {
                method.instructions.insertBefore(at, new VarInsnNode(Opcodes.ALOAD, node));
                method.instructions.insertBefore(at, new MethodInsnNode(Opcodes.INVOKEVIRTUAL, NODE, "leave", "()V", false));
            }
        }
        add(method, block, length, node, handlers.contains(block));
        InsnList start = new InsnList();
        start.add(new LdcInsnNode(number));
        start.add(new MethodInsnNode(Opcodes.INVOKESTATIC, NODE, "enter", "(I)L" + NODE + ";", false));
        start.add(new VarInsnNode(Opcodes.ASTORE, node));
        method.instructions.insert(start);
    }

    /** The instructions that begin a basic block. */
    private static Set<AbstractInsnNode> leaders(MethodNode method) {
        Set<AbstractInsnNode> leaders = new HashSet<>();
        leaders.add(real(method.instructions.getFirst()));
        for (TryCatchBlockNode handler : method.tryCatchBlocks) {
            leaders.add(real(handler.handler));
        }
        for (AbstractInsnNode at = method.instructions.getFirst(); at != null; at = at.getNext()) {
            int opcode = at.getOpcode();
            if (at instanceof JumpInsnNode jump) {
                leaders.add(real(jump.label));
            } else if (at instanceof TableSwitchInsnNode table) {
                leaders.add(real(table.dflt));
                table.labels.forEach(label -> leaders.add(real(label)));
            } else if (at instanceof LookupSwitchInsnNode lookup) {
                leaders.add(real(lookup.dflt));
                lookup.labels.forEach(label -> leaders.add(real(label)));
            } else if (opcode < Opcodes.IRETURN || opcode > Opcodes.RETURN && opcode != Opcodes.ATHROW && opcode != Opcodes.RET) {
                continue;
            }
            leaders.add(real(at.getNext()));
        }
        return leaders;
    }

    /** The instruction at a place in the list, where labels, lines and frames may come first; null at the end. */
    private static AbstractInsnNode real(AbstractInsnNode at) {
        while (at != null && at.getOpcode() < 0) {
            at = at.getNext();
        }
        return at;
    }

    /** Counts a block where it begins. */
    private static void add(MethodNode method, AbstractInsnNode block, int length, int node, boolean handler) {
        if (block == null) {
            return;
        }
        InsnList code = new InsnList();
        if (handler) {
            code.add(new VarInsnNode(Opcodes.ALOAD, node));
            code.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, NODE, "caught", "()V", false));
        }
        code.add(new VarInsnNode(Opcodes.ALOAD, node));
        code.add(new InsnNode(Opcodes.DUP));
        code.add(new FieldInsnNode(Opcodes.GETFIELD, NODE, "bytecodes", "J"));
        code.add(new LdcInsnNode((long) length));
        code.add(new InsnNode(Opcodes.LADD));
        code.add(new FieldInsnNode(Opcodes.PUTFIELD, NODE, "bytecodes", "J"));
        if (block.getOpcode() == Opcodes.NEW) {
            // frames name the place of this instruction, so nothing comes between it and its label
            method.instructions.insert(block, code);
        } else {
            // what was put before a return belongs to the block
            AbstractInsnNode place = block;
            while (place.getPrevious() instanceof MethodInsnNode call && call.name.equals("leave") && call.owner.equals(NODE)) {
                place = call.getPrevious();
            }
            method.instructions.insertBefore(place, code);
        }
    }

    /** The node's local variable is there in each frame. */
    private static void extend(FrameNode frame, int node) {
        List<Object> locals = new ArrayList<>(frame.local);
        int slots = 0;
        for (Object local : locals) {
            slots += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
        }
        for (; slots < node; slots++) {
            locals.add(Opcodes.TOP);
        }
        locals.add(NODE);
        frame.local = locals;
    }
}
