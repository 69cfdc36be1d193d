import rjvm.agent.Profile;

/** Switches its own profile; elsewhere than on rjvm nothing happens. */
public class Switched {
    static int sum;

    static void outside() {
        for (int i = 0; i < 1000; i++) {
            sum += i;
        }
    }

    static void inside(int n) {
        if (n > 0) {
            inside(n - 1);
        }
        sum ^= n;
    }

    static void around() {
        outside();
        Profile.start();
        inside(10);
        Profile.stop();
        outside();
    }

    public static void main(String[] args) {
        boolean on = Profile.isOn();
        around();
        around();
        System.out.println(on + " " + Profile.isOn() + " " + sum);
    }
}
