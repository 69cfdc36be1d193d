import java.util.Iterator;
import java.util.NoSuchElementException;

/** A hash map, a linked list and a heap of our own: generics, inner iterators, for-each, growth. */
public class OwnMap {
    static class HashTable<K, V> implements Iterable<K> {
        private Entry<K, V>[] table = newTable(4);
        private int size;

        static class Entry<K, V> {
            final K key; V value; Entry<K, V> next;
            Entry(K k, V v, Entry<K, V> n) { key = k; value = v; next = n; }
        }

        @SuppressWarnings("unchecked")
        private static <K, V> Entry<K, V>[] newTable(int n) { return (Entry<K, V>[]) new Entry[n]; }

        V get(K key) {
            for (Entry<K, V> e = table[key.hashCode() & table.length - 1]; e != null; e = e.next) if (e.key.equals(key)) return e.value;
            return null;
        }

        V put(K key, V value) {
            int i = key.hashCode() & table.length - 1;
            for (Entry<K, V> e = table[i]; e != null; e = e.next) if (e.key.equals(key)) { V old = e.value; e.value = value; return old; }
            table[i] = new Entry<>(key, value, table[i]);
            if (++size > table.length * 3 / 4) grow();
            return null;
        }

        private void grow() {
            Entry<K, V>[] old = table;
            table = newTable(old.length * 2);
            size = 0;
            for (Entry<K, V> e : old) for (; e != null; e = e.next) put(e.key, e.value);
        }

        public Iterator<K> iterator() {
            return new Iterator<K>() {
                int bucket = -1;
                Entry<K, V> at;
                { advance(); }
                private void advance() { if (at != null) at = at.next; while (at == null && ++bucket < table.length) at = table[bucket]; }
                public boolean hasNext() { return at != null; }
                public K next() { if (at == null) throw new NoSuchElementException("end"); K k = at.key; advance(); return k; }
            };
        }
    }

    static class Heap {
        int[] a = new int[2];
        int n;
        void add(int v) {
            if (n == a.length) { int[] b = new int[n * 2]; for (int i = 0; i < n; i++) b[i] = a[i]; a = b; }
            int i = n++;
            for (; i > 0 && a[i - 1 >> 1] > v; i = i - 1 >> 1) a[i] = a[i - 1 >> 1];
            a[i] = v;
        }
        int poll() {
            int top = a[0], v = a[--n], i = 0;
            for (int c; (c = 2 * i + 1) < n; i = c) { if (c + 1 < n && a[c + 1] < a[c]) c++; if (a[c] >= v) break; a[i] = a[c]; }
            a[i] = v;
            return top;
        }
    }

    public static void main(String[] args) {
        HashTable<String, Integer> counts = new HashTable<>();
        String text = "the quick brown fox jumps over the lazy dog while the other fox sleeps over there";
        for (String w : text.split(" ")) { Integer c = counts.get(w); counts.put(w, c == null ? 1 : c + 1); }
        StringBuilder s = new StringBuilder();
        for (String w : counts) s.append(w).append('=').append(counts.get(w)).append(' ');
        System.out.println(s);
        System.out.println(counts.size + " " + counts.put("the", 100) + " " + counts.get("the") + " " + counts.get("cat"));
        HashTable<Integer, Long> squares = new HashTable<>();
        for (int i = -500; i < 500; i++) squares.put(i * 7, (long) i * i);
        long sum = 0;
        for (int k : squares) sum += k * squares.get(k);
        System.out.println(squares.size + " " + sum + " " + squares.table.length);
        Heap h = new Heap();
        int x = 12345;
        for (int i = 0; i < 200; i++) { x = x * 1103515245 + 12345; h.add(x >>> 16 & 1023); }
        int last = -1, check = 0;
        while (h.n > 0) { int v = h.poll(); if (v < last) System.out.println("out of order"); last = v; check = check * 31 + v; }
        System.out.println(check + " " + last);
        Iterator<String> it = counts.iterator();
        try {
            while (true) it.next();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            it.remove();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
    }
}
