import java.util.Arrays;

/**
 * A database in memory in the shape of SpecJVM98's _209_db: records are read, changed and found, and sorted by a shell sort that
 * compares strings, which is called a few times and is where the time goes.
 */
public class Records {
    private final String[][] records;
    private int size;

    Records(int capacity) {
        records = new String[capacity][];
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3000;
        Records db = new Records(2 * n);
        db.read(n);
        long sum = 0;
        for (int round = 0; round < 6; round++) {
            db.shellSort(round % 3);
            sum = sum * 31 + db.check(round % 3);
            for (int i = 0; i < 200; i++) {
                db.modify(i * 7 % n, round);
                sum += db.find("name" + i * 13 % n);
            }
        }
        System.out.println(sum);
    }

    void read(int n) {
        int seed = 7;
        for (int i = 0; i < n; i++) {
            seed = seed * 1103515245 + 12345;
            add(new String[] {"name" + (seed >>> 8) % n, "street" + (seed >>> 12) % 997, "" + (seed >>> 4)});
        }
    }

    void add(String[] record) {
        records[size++] = record;
    }

    void modify(int at, int round) {
        records[at][1] = "street" + (at * 31 + round) % 997;
    }

    int find(String name) {
        int found = 0;
        for (int i = 0; i < 50; i++) {
            if (records[i][0].equals(name)) {
                found++;
            }
        }
        return found;
    }

    void shellSort(int field) {
        for (int gap = size / 2; gap > 0; gap /= 2) {
            for (int i = gap; i < size; i++) {
                String[] r = records[i];
                int j = i;
                for (; j >= gap && compare(records[j - gap][field], r[field]) > 0; j -= gap) {
                    records[j] = records[j - gap];
                }
                records[j] = r;
            }
        }
    }

    static int compare(String a, String b) {
        int n = Math.min(a.length(), b.length());
        for (int i = 0; i < n; i++) {
            int d = a.charAt(i) - b.charAt(i);
            if (d != 0) {
                return d;
            }
        }
        return a.length() - b.length();
    }

    int check(int field) {
        int wrong = 0;
        for (int i = 1; i < size; i++) {
            if (compare(records[i - 1][field], records[i][field]) > 0) {
                wrong++;
            }
        }
        return wrong;
    }
}
