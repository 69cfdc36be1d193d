import com.sun.security.auth.module.UnixSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** As whom the process runs, as the login module of the JDK's own sees it. */
public class UnixUser extends UnixSystem {
    public static void main(String[] args) throws Exception {
        UnixSystem s = new UnixUser();
        Path file = Files.createTempFile("user", null);
        System.out.println(s.getUsername().equals(System.getProperty("user.name")) + " " + s.getUsername().equals(Files.getOwner(file).getName()));
        System.out.println((s.getUid() == (int) Files.getAttribute(file, "unix:uid")) + " " + (s.getGid() == (int) Files.getAttribute(file, "unix:gid")));
        long[] groups = s.getGroups();
        System.out.println((groups != null) + " " + Arrays.stream(groups).allMatch(g -> g >= 0));
        Files.delete(file);
    }
}
