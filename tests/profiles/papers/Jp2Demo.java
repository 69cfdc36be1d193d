import java.util.ArrayList;
import java.util.List;

/**
 * The program of the JP2 paper's Fig. 1, instrumented by hand as its Fig. 3 shows it: the program itself computes
 * what JP2 keeps. Positions count instructions from 1.
 */
public class Jp2Demo {
    /** A calling context: method, position of the call in the caller, invocations, executions of blocks. */
    static class CCTNode {
        final String mid;
        final int bp;
        final long[] blocks;
        final List<CCTNode> callees = new ArrayList<>();
        long calls;

        CCTNode(String mid, int bp, int numberOfBBs) {
            this.mid = mid;
            this.bp = bp;
            blocks = new long[numberOfBBs];
        }

        CCTNode profileCall(String mid, int bp, int numberOfBBs) {
            CCTNode callee = null;
            for (CCTNode node : callees) {
                if (node.mid == mid && node.bp == bp) {
                    callee = node;
                }
            }
            if (callee == null) {
                callee = new CCTNode(mid, bp, numberOfBBs);
                callees.add(callee);
            }
            callee.calls++;
            JP2Runtime.currentNode = callee;
            return callee;
        }

        void profileBasicBlock(int bbIndex) {
            blocks[bbIndex]++;
            System.out.println("block " + mid + " " + bbIndex);
        }

        void print(String above) {
            String path = above + "@" + bp + ":" + mid;
            StringBuilder counts = new StringBuilder();
            for (long count : blocks) {
                counts.append(counts.length() == 0 ? "" : ",").append(count);
            }
            System.out.println("node " + path + "\t" + calls + "\t" + counts);
            callees.forEach(callee -> callee.print(path + ";"));
        }
    }

    static class JP2Runtime {
        static final CCTNode ROOT = new CCTNode("", 0, 0);
        static CCTNode currentNode = ROOT;
        static int bp = -1;
    }

    interface Shape {
        float area();
    }

    static class Square implements Shape {
        final float a;

        Square(float a) {
            super();
            int callerBP = JP2Runtime.bp;
            CCTNode caller = JP2Runtime.currentNode;
            CCTNode callee = caller.profileCall("Square.<init>(F)V", callerBP, 1);
            try {
                callee.profileBasicBlock(0);
                this.a = a;
            } finally {
                JP2Runtime.currentNode = caller;
                JP2Runtime.bp = callerBP;
            }
        }

        public float area() {
            int callerBP = JP2Runtime.bp;
            CCTNode caller = JP2Runtime.currentNode;
            CCTNode callee = caller.profileCall("Square.area()F", callerBP, 1);
            try {
                callee.profileBasicBlock(0);
                return a * a;
            } finally {
                JP2Runtime.currentNode = caller;
                JP2Runtime.bp = callerBP;
            }
        }
    }

    static class Composite implements Shape {
        final Shape x;
        final Shape y;

        Composite(Shape x, Shape y) {
            super();
            int callerBP = JP2Runtime.bp;
            CCTNode caller = JP2Runtime.currentNode;
            CCTNode callee = caller.profileCall("Composite.<init>(LShape;LShape;)V", callerBP, 1);
            try {
                callee.profileBasicBlock(0);
                this.x = x;
                this.y = y;
            } finally {
                JP2Runtime.currentNode = caller;
                JP2Runtime.bp = callerBP;
            }
        }

        public float area() {
            int callerBP = JP2Runtime.bp;
            CCTNode caller = JP2Runtime.currentNode;
            CCTNode callee = caller.profileCall("Composite.area()F", callerBP, 1);
            try {
                callee.profileBasicBlock(0);
                JP2Runtime.bp = 3;
                float a1 = x.area();
                JP2Runtime.bp = 7;
                float a2 = y.area();
                return a1 + a2;
            } finally {
                JP2Runtime.currentNode = caller;
                JP2Runtime.bp = callerBP;
            }
        }
    }

    /** Fig. 3. */
    static float sumAreas(Shape[] ss) {
        int callerBP = JP2Runtime.bp;
        CCTNode caller = JP2Runtime.currentNode;
        CCTNode callee = caller.profileCall("Demo.sumAreas([LShape;)F", callerBP, 4);
        try {
            callee.profileBasicBlock(0);
            float sum = 0;
            int i = 0;
            while (true) {
                callee.profileBasicBlock(1);
                if (i >= ss.length) {
                    callee.profileBasicBlock(2);
                    return sum;
                } else {
                    callee.profileBasicBlock(3);
                    JP2Runtime.bp = 16;
                    sum += ss[i++].area();
                }
            }
        } finally {
            JP2Runtime.currentNode = caller;
            JP2Runtime.bp = callerBP;
        }
    }

    static void demo() {
        int callerBP = JP2Runtime.bp;
        CCTNode caller = JP2Runtime.currentNode;
        CCTNode callee = caller.profileCall("Demo.main([Ljava/lang/String;)V", callerBP, 1);
        try {
            callee.profileBasicBlock(0);
            JP2Runtime.bp = 4;
            Shape s1 = new Square(2);
            JP2Runtime.bp = 10;
            Shape s2 = new Composite(s1, s1);
            JP2Runtime.bp = 26;
            sumAreas(new Shape[] {s1, s2, s1});
        } finally {
            JP2Runtime.currentNode = caller;
            JP2Runtime.bp = callerBP;
        }
    }

    public static void main(String[] args) {
        demo();
        if (JP2Runtime.currentNode != JP2Runtime.ROOT || JP2Runtime.bp != -1) {
            throw new AssertionError();
        }
        JP2Runtime.ROOT.callees.forEach(node -> node.print(""));
    }
}
