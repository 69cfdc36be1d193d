/** A helpful message in the trace of an uncaught NullPointerException; computed late, from the frame that threw. */
public class NpeUncaught {
    static class Account {
        Owner owner;
        Owner owner() { return owner; }
    }

    static class Owner {
        String[] names;
    }

    static String first(Account[] accounts, int index) {
        return accounts[index].owner().names[0];
    }

    public static void main(String[] args) {
        NullPointerException kept = null;
        Account[] all = {new Account(), null};
        try {
            first(all, 1);
        } catch (NullPointerException e) {
            kept = e;
        }
        System.out.println(kept.getMessage());
        System.out.println(kept);
        kept = new NullPointerException();
        kept.fillInStackTrace();
        System.out.println(kept.getMessage());
        try {
            throw null;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        first(all, 0);
    }
}
