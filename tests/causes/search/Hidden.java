/** A bottleneck that is called from twenty places, none of which is one: Fig. 2 of the paper on JUDI and JBolt. */
public class Hidden {
    static long state = 1;

    /** The hidden one. */
    static int digits(int n) {
        int sum = 0;
        for (int i = 0; i < 40; i++) {
            sum += n * i % 10;
        }
        return sum;
    }

    static void part0() {
        for (int i = 0; i < 12; i++) {
            state += digits(3 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part1() {
        for (int i = 0; i < 12; i++) {
            state += digits(20 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part2() {
        for (int i = 0; i < 12; i++) {
            state += digits(37 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part3() {
        for (int i = 0; i < 12; i++) {
            state += digits(54 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part4() {
        for (int i = 0; i < 12; i++) {
            state += digits(71 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part5() {
        for (int i = 0; i < 12; i++) {
            state += digits(88 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part6() {
        for (int i = 0; i < 12; i++) {
            state += digits(105 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part7() {
        for (int i = 0; i < 12; i++) {
            state += digits(122 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part8() {
        for (int i = 0; i < 12; i++) {
            state += digits(139 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part9() {
        for (int i = 0; i < 12; i++) {
            state += digits(156 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part10() {
        for (int i = 0; i < 12; i++) {
            state += digits(173 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part11() {
        for (int i = 0; i < 12; i++) {
            state += digits(190 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part12() {
        for (int i = 0; i < 12; i++) {
            state += digits(207 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part13() {
        for (int i = 0; i < 12; i++) {
            state += digits(224 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part14() {
        for (int i = 0; i < 12; i++) {
            state += digits(241 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part15() {
        for (int i = 0; i < 12; i++) {
            state += digits(258 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part16() {
        for (int i = 0; i < 12; i++) {
            state += digits(275 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part17() {
        for (int i = 0; i < 12; i++) {
            state += digits(292 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part18() {
        for (int i = 0; i < 12; i++) {
            state += digits(309 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    static void part19() {
        for (int i = 0; i < 12; i++) {
            state += digits(326 + i);
        }
        for (int i = 0; i < 60; i++) {
            state = state * 31 + i;
        }
    }

    public static void main(String[] args) {
        for (int round = 0; round < 400; round++) {
            part0();
            part1();
            part2();
            part3();
            part4();
            part5();
            part6();
            part7();
            part8();
            part9();
            part10();
            part11();
            part12();
            part13();
            part14();
            part15();
            part16();
            part17();
            part18();
            part19();
        }
        System.out.println(state);
    }
}
