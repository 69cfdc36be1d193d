import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import javax.imageio.ImageIO;

/** A few pictures, for runs in which each allocation collects. */
public class Copies {
    public static void main(String[] args) throws Exception {
        BufferedImage image = new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        g.setColor(Color.ORANGE);
        g.fillRect(3, 4, 20, 10);
        g.setColor(Color.BLUE);
        g.drawOval(5, 5, 30, 20);
        BufferedImage other = new BufferedImage(40, 30, BufferedImage.TYPE_3BYTE_BGR);
        Graphics2D h = other.createGraphics();
        h.drawImage(image, 2, 2, null);
        h.drawImage(image, 20, 10, 15, 15, null);
        Hash.picture("drawn", other);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(other, "jpeg", out);
        Hash.bytes("jpeg", out.toByteArray());
        Hash.picture("read", ImageIO.read(new ByteArrayInputStream(out.toByteArray())));
    }
}
