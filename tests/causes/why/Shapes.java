/** Planted: one call, and receivers of many classes. */
public class Shapes {
    interface Shape {
        int area();
    }

    record Square(int side) implements Shape {
        public int area() {
            return side * side;
        }
    }

    record Box(int width, int height) implements Shape {
        public int area() {
            return width * height;
        }
    }

    record Strip(int length) implements Shape {
        public int area() {
            return length;
        }
    }

    record Point() implements Shape {
        public int area() {
            return 0;
        }
    }

    static long sum(Shape[] shapes) {
        long sum = 0;
        for (Shape s : shapes) {
            sum += s.area(); // planted
        }
        return sum;
    }

    public static void main(String[] args) {
        Shape[] shapes = {new Square(3), new Box(2, 5), new Strip(7), new Point()};
        Shape[] many = new Shape[200_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = shapes[i & 3];
        }
        long sum = 0;
        for (int i = 0; i < 5; i++) {
            sum += sum(many);
        }
        System.out.println(sum);
    }
}
