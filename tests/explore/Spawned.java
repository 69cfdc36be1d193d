/** A process of the operating system that is started before there is a second thread; each schedule has its own. */
public class Spawned {
    public static void main(String[] args) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "echo said; exit 3").start();
        String said = new String(process.getInputStream().readAllBytes());
        System.out.println(said.trim() + " " + process.waitFor());
    }
}
