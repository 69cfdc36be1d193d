import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Heaps that take long to collect. */
class Heaps {
    static class Node {
        Node next;
        Node other;
        long value;
    }

    static Object[] held;

    /** A list of small objects, each of which knows another one as well. */
    private static Object[] nodes(int n) {
        Object[] known = new Object[4096];
        Node first = null;
        for (int i = 0; i < n; i++) {
            Node node = new Node();
            node.value = i;
            node.next = first;
            node.other = (Node) known[i & 4095];
            known[i & 4095] = node;
            first = node;
        }
        return known;
    }

    /** Collects a heap of small objects, of so many MB, for ever. */
    static int small(int mb) {
        held = new Object[] {nodes(mb << 15)};
        while (true) {
            System.gc();
        }
    }

    /** The same with large arrays of references. */
    static int arrays(int mb) {
        Object[] few = nodes(1000);
        held = new Object[4];
        for (int i = 0; i < held.length; i++) {
            Object[] a = new Object[mb << 16];
            held[i] = a;
            for (int k = 0; k < a.length; k++) {
                a[k] = few[k & 511];
            }
        }
        while (true) {
            // so that what is behind the first moves
            held[0] = ((Object[]) held[0]).clone();
            System.gc();
        }
    }

    /** The same with large arrays without references. */
    static int blocks(int mb) {
        held = new Object[4];
        for (int i = 0; i < held.length; i++) {
            held[i] = new byte[mb << 18];
        }
        for (int i = 0;; i++) {
            held[i & 3] = null;
            held[i & 3] = new byte[mb << 18];
            System.gc();
        }
    }

    /** Works on large blocks of memory, for ever. */
    static int natives(int mb) throws Exception {
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        java.util.zip.Adler32 adler = new java.util.zip.Adler32();
        byte[] a = new byte[mb << 20];
        held = new Object[2];
        System.gc();
        System.gc();
        while (true) {
            held[0] = null;
            byte[] b = a.clone();
            held[0] = b;
            crc.update(b);
            adler.update(b);
            System.arraycopy(a, 0, b, 1, a.length - 1);
            java.nio.ByteBuffer direct = java.nio.ByteBuffer.allocateDirect(mb << 20);
            direct.put(b);
            direct.flip();
            direct.get(b);
            crc.update(direct.flip());
            sun.misc.Unsafe.getUnsafe().invokeCleaner(direct.clear());
        }
    }

    /** Collects young objects that survive, for ever. */
    static int young(int mb) {
        held = new Object[16];
        for (int i = 0;; i++) {
            held[i & 15] = nodes(mb << 11);
        }
    }

    /** Collects with a deep stack. */
    static int deep(int frames) {
        if (frames > 0) {
            Object o = new Node();
            int n = deep(frames - 1);
            return o.hashCode() + n;
        }
        while (true) {
            System.gc();
        }
    }

    static int finalized;

    static class Final {
        int n;

        Final(int n) {
            this.n = n;
        }

        @Override
        @SuppressWarnings("removal")
        protected void finalize() {
            finalized += n;
        }
    }

    /** Needs many collections of both kinds; what comes out depends on what they find. */
    static int mixed(int rounds, int nodes) throws Exception {
        List<Object[]> lists = new ArrayList<>();
        Map<String, Reference<?>> references = new HashMap<>();
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            lists.add(nodes(nodes));
            if (lists.size() > 12) {
                lists.remove(i % 7);
            }
            references.put("soft" + i, new SoftReference<>(new byte[1 << 16], queue));
            references.put("weak" + i, new WeakReference<>(lists.get(i % lists.size()), queue));
            references.put("gone" + i, new WeakReference<>(new Node(), queue));
            references.put("phantom" + i, new PhantomReference<>(new Node(), queue));
            new Final(i);
            sum += ("interned " + i % 10).intern().hashCode();
            sum += System.identityHashCode(lists.get(0));
            Object[] big = new Object[200_000];
            big[i] = lists.get(0);
            if (i % 10 == 3) {
                System.gc();
            }
            if (i % 20 == 5) {
                try {
                    held = new Object[1 << 27];
                } catch (OutOfMemoryError e) {
                    sum += e.getMessage().length();
                }
            }
            if (i % 6 == 1) {
                try {
                    sum += Integer.parseInt("x" + i);
                } catch (NumberFormatException e) {
                    sum += e.getMessage().length();
                }
            }
            Reference<?> r;
            while ((r = queue.poll()) != null) {
                sum = sum * 31 + 1;
            }
        }
        System.gc();
        System.runFinalization();
        return sum + finalized;
    }
}
