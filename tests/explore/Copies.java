import java.util.Arrays;

/** Arrays and objects are copied while another thread stores to them: a copy is of what reads may find. */
public class Copies implements Cloneable {
    int first, second;
    final int frozen = 1;

    static Copies published;

    public static void main(String[] args) throws Exception {
        String how = args.length == 0 ? "published" : args[0];
        switch (how) {
            case "copyOf":
            case "cloned":
                int[] cells = new int[2];
                cells.clone();
                new Thread(() -> {
                    cells[0] = 1;
                    cells[1] = 1;
                }).start();
                int[] copy = how.equals("copyOf") ? Arrays.copyOf(cells, 2) : cells.clone();
                print(copy[0], copy[1]);
                break;
            case "object":
                Copies original = new Copies();
                original.clone();
                new Thread(() -> {
                    original.first = 1;
                    original.second = 1;
                }).start();
                Copies its = (Copies) original.clone();
                print(its.first, its.second);
                break;
            default:
                Copies full = new Copies();
                full.first = full.second = 1;
                full.clone();
                new Thread(() -> published = (Copies) full.copy()).start();
                Copies found = published;
                if (found == null) {
                    return;
                }
                int second = found.second;
                if (found.frozen != 1) {
                    throw new AssertionError("a final field is not there");
                }
                if (second != 1) {
                    throw new IllegalStateException("second is " + second);
                }
        }
    }

    /** Links no code. */
    static void print(int first, int second) {
        System.out.println(String.valueOf(first).concat(" ").concat(String.valueOf(second)));
    }

    Object copy() {
        try {
            return clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
