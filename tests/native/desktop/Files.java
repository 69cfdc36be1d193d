import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Iterator;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import java.awt.Rectangle;

/** Pictures in files: each format that the JDK has. */
public class Files {
    static BufferedImage picture(int type) {
        BufferedImage image = new BufferedImage(160, 120, type);
        Graphics2D g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        for (int i = 0; i < 40; i++) {
            g.setColor(new Color((i * 37) % 256, (i * 91) % 256, (i * 13) % 256));
            g.fillOval((i * 29) % 140, (i * 17) % 100, 40 - i / 2, 30);
        }
        g.dispose();
        return image;
    }

    static byte[] write(BufferedImage image, String format, float quality, boolean progressive) throws Exception {
        ImageWriter writer = ImageIO.getImageWritersByFormatName(format).next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            writer.setOutput(out);
            ImageWriteParam param = writer.getDefaultWriteParam();
            param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            param.setCompressionQuality(quality);
            if (progressive) param.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
            writer.write(null, new IIOImage(image, null, null), param);
        }
        writer.dispose();
        return bytes.toByteArray();
    }

    static void read(String what, byte[] bytes) throws Exception {
        try {
            readAll(what, bytes);
        } catch (java.io.IOException e) {
            System.out.println(what + ": " + e);
        }
    }

    static void readAll(String what, byte[] bytes) throws Exception {
        ImageInputStream in = ImageIO.createImageInputStream(new ByteArrayInputStream(bytes));
        Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
        if (!readers.hasNext()) {
            System.out.println(what + ": no reader");
            return;
        }
        ImageReader reader = readers.next();
        reader.setInput(in);
        Hash.picture(what + " " + reader.getFormatName(), reader.read(0));
        ImageReadParam param = reader.getDefaultReadParam();
        param.setSourceRegion(new Rectangle(20, 10, 70, 60));
        param.setSourceSubsampling(2, 3, 0, 0);
        Hash.picture("  a part", reader.read(0, param));
        IIOMetadata data = reader.getImageMetadata(0);
        System.out.println("  " + data.getNativeMetadataFormatName() + " " + data.getAsTree(data.getNativeMetadataFormatName()).getChildNodes().getLength());
        reader.dispose();
    }

    public static void main(String[] args) throws Exception {
        int[] types = {BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_INT_ARGB, BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_BYTE_GRAY,
            BufferedImage.TYPE_BYTE_INDEXED, BufferedImage.TYPE_BYTE_BINARY};
        for (int type : types) {
            BufferedImage image = picture(type);
            Hash.picture("type " + type, image);
            for (String format : new String[] {"png", "jpeg", "gif", "bmp", "wbmp", "tiff"}) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                if (!ImageIO.write(image, format, out)) {
                    System.out.println(format + ": none for this type");
                    continue;
                }
                Hash.bytes(format, out.toByteArray());
                read("  " + format, out.toByteArray());
            }
        }
        for (float quality : new float[] {0.1f, 0.5f, 0.95f, 1}) {
            for (boolean progressive : new boolean[] {false, true}) {
                byte[] bytes = write(picture(BufferedImage.TYPE_INT_RGB), "jpeg", quality, progressive);
                Hash.bytes("jpeg " + quality + " " + progressive, bytes);
                read("  read", bytes);
            }
        }
        byte[] bytes = write(picture(BufferedImage.TYPE_INT_RGB), "jpeg", 0.7f, false);
        for (int cut : new int[] {3, 200, bytes.length / 2}) {
            byte[] part = java.util.Arrays.copyOf(bytes, cut);
            try {
                BufferedImage image = ImageIO.read(new ByteArrayInputStream(part));
                if (image == null) System.out.println("no picture"); else Hash.picture("cut at " + cut, image);
            } catch (Exception e) {
                System.out.println("cut at " + cut + ": " + e);
            }
        }
        bytes[100] ^= 0x55;
        try {
            Hash.picture("broken", ImageIO.read(new ByteArrayInputStream(bytes)));
        } catch (Exception e) {
            System.out.println("broken: " + e);
        }
    }
}
