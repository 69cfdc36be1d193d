/** Exceptions of several origins. */
public class Thrown {
    static int zero;
    static Object nothing;
    static int[] array = new int[2];

    static void thrown(int which) throws Exception {
        switch (which) {
            case 0:
                throw new Exception("thrown");
            case 1:
                zero = 1 / zero;
                break;
            case 2:
                nothing.hashCode();
                break;
            case 3:
                array[2] = 1;
                break;
            case 4:
                System.arraycopy(array, 0, array, 1, 2);
                break;
            default:
                zero = ((String) (Object) array).length();
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 6; i++) {
            try {
                thrown(i);
            } catch (Exception e) {
                System.out.println(i + " " + e.getClass().getName());
            }
        }
    }
}
