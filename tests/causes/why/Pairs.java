/** Planted: each point is compared with each other one to find the nearest two. */
public class Pairs {
    public static void main(String[] args) {
        int[] points = new int[2500];
        int seed = 1;
        for (int i = 0; i < points.length; i++) {
            seed = seed * 1103515245 + 12345;
            points[i] = seed >>> 8;
        }
        System.out.println(nearest(points));
    }

    static int nearest(int[] points) {
        int best = Integer.MAX_VALUE;
        for (int i = 0; i < points.length; i++) {
            for (int j = 0; j < i; j++) { // planted
                int apart = Math.abs(points[i] - points[j]);
                if (apart < best) {
                    best = apart;
                }
            }
        }
        return best;
    }
}
