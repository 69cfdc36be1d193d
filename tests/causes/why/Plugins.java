import java.util.ArrayList;
import java.util.List;

/** Planted: all plugins are loaded and initialised at the start, one of which is used. */
public class Plugins {
    public static void main(String[] args) throws Exception {
        List<Class<?>> plugins = new ArrayList<>();
        for (char a = 'A'; a <= 'E'; a++) {
            for (char b = 'A'; b <= 'H'; b++) {
                plugins.add(Class.forName("Plugins$P" + a + b)); // planted
            }
        }
        System.out.println(plugins.size() + " " + PAA.work(30_000));
    }

    static class PAA {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4225;
            }
        }

        static int work(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                sum += TABLE[i & 255];
            }
            return sum;
        }
    }

    static class PAB {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4290;
            }
        }
    }

    static class PAC {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4355;
            }
        }
    }

    static class PAD {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4420;
            }
        }
    }

    static class PAE {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4485;
            }
        }
    }

    static class PAF {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4550;
            }
        }
    }

    static class PAG {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4615;
            }
        }
    }

    static class PAH {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4680;
            }
        }
    }

    static class PBA {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4290;
            }
        }
    }

    static class PBB {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4356;
            }
        }
    }

    static class PBC {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4422;
            }
        }
    }

    static class PBD {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4488;
            }
        }
    }

    static class PBE {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4554;
            }
        }
    }

    static class PBF {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4620;
            }
        }
    }

    static class PBG {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4686;
            }
        }
    }

    static class PBH {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4752;
            }
        }
    }

    static class PCA {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4355;
            }
        }
    }

    static class PCB {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4422;
            }
        }
    }

    static class PCC {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4489;
            }
        }
    }

    static class PCD {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4556;
            }
        }
    }

    static class PCE {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4623;
            }
        }
    }

    static class PCF {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4690;
            }
        }
    }

    static class PCG {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4757;
            }
        }
    }

    static class PCH {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4824;
            }
        }
    }

    static class PDA {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4420;
            }
        }
    }

    static class PDB {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4488;
            }
        }
    }

    static class PDC {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4556;
            }
        }
    }

    static class PDD {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4624;
            }
        }
    }

    static class PDE {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4692;
            }
        }
    }

    static class PDF {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4760;
            }
        }
    }

    static class PDG {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4828;
            }
        }
    }

    static class PDH {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4896;
            }
        }
    }

    static class PEA {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4485;
            }
        }
    }

    static class PEB {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4554;
            }
        }
    }

    static class PEC {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4623;
            }
        }
    }

    static class PED {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4692;
            }
        }
    }

    static class PEE {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4761;
            }
        }
    }

    static class PEF {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4830;
            }
        }
    }

    static class PEG {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4899;
            }
        }
    }

    static class PEH {
        static final int[] TABLE = new int[256];
        static {
            for (int i = 0; i < TABLE.length; i++) {
                TABLE[i] = i * 4968;
            }
        }
    }

}
