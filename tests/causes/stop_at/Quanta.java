/** Two threads of which the schedule decides what is appended first. */
public class Quanta {
    public static void main(String[] args) throws Exception {
        StringBuffer all = new StringBuffer();
        Thread other = new Thread(() -> {
            for (int i = 0; i < 3000; i++) {
                all.append(i % 7);
            }
        });
        other.start();
        for (int i = 0; i < 3000; i++) {
            all.append(1);
        }
        other.join();
        System.out.println(all.length());
    }
}
