/** A stack machine and its assembler in Java: byte code in arrays, switch dispatch, objects for functions. */
public class Interpreter {
    static final int PUSH = 0, ADD = 1, SUB = 2, MUL = 3, LOAD = 4, STORE = 5, JUMP = 6, JZ = 7, CALL = 8, RET = 9, PRINT = 10, HALT = 11, LT = 12;
    static final String[] NAMES = {"push", "add", "sub", "mul", "load", "store", "jump", "jz", "call", "ret", "print", "halt", "lt"};

    static class Frame {
        final Frame caller;
        final int returnTo;
        final int[] locals = new int[4];
        Frame(Frame caller, int returnTo) { this.caller = caller; this.returnTo = returnTo; }
    }

    static int[] assemble(String text) {
        String[] lines = text.split(";");
        String[] labels = new String[20];
        int[] at = new int[20];
        int[] code = new int[100];
        for (int pass = 0, count = 0; pass < 2; pass++) {
            int pc = 0;
            for (String line : lines) {
                String[] words = line.trim().split(" ");
                if (words[0].endsWith(":")) {
                    if (pass == 0) {
                        labels[count] = words[0].substring(0, words[0].length() - 1);
                        at[count++] = pc;
                    }
                    continue;
                }
                int op = 0;
                while (!NAMES[op].equals(words[0])) op++;
                code[pc++] = op;
                if (words.length > 1) {
                    int v = 0;
                    char c = words[1].charAt(0);
                    if (c >= '0' && c <= '9') v = Integer.parseInt(words[1]);
                    else if (pass == 1) { int i = 0; while (!words[1].equals(labels[i])) i++; v = at[i]; }
                    code[pc++] = v;
                }
            }
        }
        return code;
    }

    static int run(int[] code) {
        int[] stack = new int[256];
        int sp = 0, pc = 0, steps = 0;
        Frame frame = new Frame(null, -1);
        while (true) {
            steps++;
            switch (code[pc++]) {
                case PUSH: stack[sp++] = code[pc++]; break;
                case ADD: sp--; stack[sp - 1] += stack[sp]; break;
                case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
                case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
                case LT: sp--; stack[sp - 1] = stack[sp - 1] < stack[sp] ? 1 : 0; break;
                case LOAD: stack[sp++] = frame.locals[code[pc++]]; break;
                case STORE: frame.locals[code[pc++]] = stack[--sp]; break;
                case JUMP: pc = code[pc]; break;
                case JZ: pc = stack[--sp] == 0 ? code[pc] : pc + 1; break;
                case CALL: frame = new Frame(frame, pc + 1); pc = code[pc]; frame.locals[0] = stack[--sp]; break;
                case RET: pc = frame.returnTo; frame = frame.caller; break;
                case PRINT: System.out.println(stack[--sp]); break;
                case HALT: return steps;
                default: throw new IllegalStateException("pc " + pc);
            }
        }
    }

    public static void main(String[] args) {
        System.out.println(run(assemble("push 10; call fact; print; push 15; call fib; print; jump sum; "
            + "fact: ; load 0; jz one; load 0; load 0; push 1; sub; call fact; mul; ret; one: ; push 1; ret; "
            + "fib: ; load 0; push 2; lt; jz more; load 0; ret; more: ; load 0; push 1; sub; call fib; load 0; push 2; sub; call fib; add; ret; "
            + "sum: ; push 0; store 1; push 100; store 2; loop: ; load 2; jz done; load 1; load 2; add; store 1; load 2; push 1; sub; store 2; jump loop; done: ; load 1; print; halt")));
    }
}
