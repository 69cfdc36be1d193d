/** What is done before a start and after a join needs nothing else. */
public class StartJoin {

    static int value;
    static final StringBuilder text = new StringBuilder();

    static Thread started(Runnable code) {
        Thread t = new Thread(code);
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        value = 1;
        text.append("m");
        Thread a = started(() -> {
            value++;
            Thread b = started(() -> {
                value *= 5;
                text.append("b");
            });
            try {
                b.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            text.append(value);
        });
        a.join();
        if (!text.toString().equals("mb10")) throw new AssertionError(text);
        value = 0;
    }
}
