import java.awt.image.BufferedImage;
import java.util.zip.CRC32;

/** What is printed of pictures and files: their sizes, and a hash of their pixels or bytes. */
final class Hash {
    static void picture(String what, BufferedImage image) {
        int w = image.getWidth(), h = image.getHeight();
        int[] pixels = image.getRGB(0, 0, w, h, null, 0, w);
        CRC32 crc = new CRC32();
        int first = pixels[0], different = 0;
        byte[] line = new byte[4 * w];
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
                int p = pixels[y * w + x];
                if (p != first) different++;
                line[4 * x] = (byte) (p >> 24);
                line[4 * x + 1] = (byte) (p >> 16);
                line[4 * x + 2] = (byte) (p >> 8);
                line[4 * x + 3] = (byte) p;
            }
            crc.update(line);
        }
        System.out.printf("%s: %dx%d type %d, %d pixels differ from %08x, %08x%n", what, w, h, image.getType(), different, first,
            crc.getValue());
    }

    static void bytes(String what, byte[] bytes) {
        if (bytes == null) {
            System.out.println(what + ": none");
            return;
        }
        CRC32 crc = new CRC32();
        crc.update(bytes);
        System.out.printf("%s: %d bytes, %08x%n", what, bytes.length, crc.getValue());
    }
}
