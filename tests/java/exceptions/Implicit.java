/** Exceptions raised by instructions in the middle of expressions leave locals and heap as they were. */
public class Implicit {
    int f = 3;
    int[] data = {1, 2, 3};
    Implicit next;

    static int state;

    static int probe(int kind, Implicit o, int i) {
        int local = 5;
        try {
            local = 6;
            switch (kind) {
                case 0: local = o.f / i; break;
                case 1: local = o.data[i]; break;
                case 2: o.data[i] = local = 9; break;
                case 3: o.next.f = local = 10; break;
                case 4: local = o.next.next.f; break;
                case 5: local += o.data[i++] + o.data[i++] * 2; break;
                case 6: o.f += o.data[i += 10]; break;
                case 7: state = local++ / (i - i); break;
                case 8: o.data[1] <<= o.data[i]; break;
                case 9: Object x = o; local = ((String) x).length(); break;
                case 10: o.data = new int[-i]; break;
                case 11: throw o.next == null ? new ArithmeticException() : null;
                case 12: synchronized (o.next) { local = 1; } break;
                case 13: local = o.data.length + o.next.data.length; break;
                case 14: local = (int) (long) (Long) (Object) o.f; break;
                default: local = 100;
            }
        } catch (ArithmeticException e) {
            return 1000 + local * 10 + i;
        } catch (ArrayIndexOutOfBoundsException e) {
            return 2000 + local * 10 + i;
        } catch (NullPointerException e) {
            return 3000 + local * 10 + i;
        } catch (ClassCastException e) {
            return 4000 + local * 10 + i;
        } catch (NegativeArraySizeException e) {
            return 5000 + local * 10 + i;
        }
        return local;
    }

    public static void main(String[] args) {
        for (int kind = 0; kind <= 15; kind++) {
            StringBuilder s = new StringBuilder();
            for (int i = 0; i < 4; i++) {
                Implicit o = new Implicit();
                s.append(probe(kind, o, i)).append(' ');
                o.next = new Implicit();
                s.append(probe(kind, o, i)).append(' ');
                s.append(probe(kind, null, i)).append(' ');
                s.append(o.f).append(o.data == null ? 0 : o.data.length > 2 ? o.data[0] + o.data[1] + o.data[2] : -1).append(o.next.f).append(" | ");
            }
            System.out.println(kind + ": " + s);
        }
        System.out.println(state);
    }
}
