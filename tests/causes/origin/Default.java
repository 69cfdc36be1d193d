/** A default is wrong from the beginning: set in a static initializer. */
public class Default {
    static class Settings {
        static final int SECOND = 1000;
        static int timeout;
        static int retries = 3;

        static {
            int seconds = 30;
            timeout = seconds * SECOND * SECOND;
        }
    }

    static class Client {
        final int limit;

        Client() {
            limit = Settings.timeout;
        }

        boolean waits(int millis) {
            return millis < limit;
        }
    }

    public static void main(String[] args) {
        Client client = new Client();
        for (int i = 0; i < Settings.retries; i++) {
            if (client.waits(60_000)) {
                throw new IllegalStateException("the limit is " + client.limit);
            }
        }
    }
}
