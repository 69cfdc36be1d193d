import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** What large inputs are compressed to: the same bytes however the VM goes through them. */
public class DeflateWhole {
    public static void main(String[] args) {
        byte[] from = new byte[150_001];
        Random r = new Random(5);
        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < from.length; i++) {
                from[i] = (byte) switch (kind) {
                    case 0 -> r.nextInt();
                    case 1 -> i % 7 == 0 ? i * i >> 7 : 0;
                    default -> "the quick brown fox ".charAt(r.nextInt(20));
                };
            }
            for (int level : new int[] {0, 1, 6, 9}) {
                for (int strategy = 0; strategy < 3; strategy++) {
                    for (int flush : new int[] {Deflater.NO_FLUSH, Deflater.SYNC_FLUSH, Deflater.FULL_FLUSH}) {
                        compress(from, kind + " " + level + " " + strategy + " " + flush, level, strategy, flush);
                    }
                }
            }
        }
    }

    static void compress(byte[] from, String what, int level, int strategy, int flush) {
        Deflater d = new Deflater(level);
        d.setStrategy(strategy);
        d.setInput(from);
        if (flush == Deflater.NO_FLUSH) {
            d.finish();
        }
        byte[] to = new byte[300_000];
        StringBuilder sizes = new StringBuilder();
        int n = 0;
        int more;
        do {
            more = d.deflate(to, n, Math.min(50_000, to.length - n), flush);
            n += more;
            sizes.append(' ').append(more);
        } while (more > 0 && !d.finished());
        CRC32 sum = new CRC32();
        sum.update(to, 0, n);
        System.out.println(what + ": " + n + " " + Long.toHexString(sum.getValue()) + sizes);
        d.end();
    }
}
