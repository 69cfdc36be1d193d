/** Classes of java.desktop without a display: those that initialize on HotSpot do so here, and work as far as they are Java. */
public class Headless {
    static final String[] NAMES = {
        "java.awt.Color",
        "java.awt.Point",
        "java.awt.Rectangle",
        "java.awt.Dimension",
        "java.awt.geom.AffineTransform",
        "java.awt.geom.Area",
        "java.awt.BasicStroke",
        "java.awt.AWTEvent",
        "java.awt.event.KeyEvent",
        "java.awt.Insets",
        "java.awt.Font",
        "java.awt.image.ColorModel",
        "java.awt.image.BufferedImage",
        "java.awt.image.Raster",
        "java.awt.image.SampleModel",
        "java.awt.image.Kernel",
        "java.awt.color.ColorSpace",
        "java.awt.color.ICC_Profile",
        "java.awt.Toolkit",
        "java.awt.Desktop",
        "java.awt.GraphicsEnvironment",
        "java.awt.Component",
        "java.awt.KeyboardFocusManager",
        "java.awt.datatransfer.DataFlavor",
        "java.awt.Cursor",
        "javax.imageio.ImageIO",
        "javax.swing.JComponent",
        "javax.swing.table.DefaultTableModel",
        "javax.swing.tree.DefaultMutableTreeNode",
        "javax.swing.text.PlainDocument",
        "javax.swing.text.html.HTMLEditorKit",
        "javax.swing.UIManager",
        "javax.swing.ImageIcon",
        "javax.swing.KeyStroke",
        "javax.swing.SwingUtilities",
        "java.beans.Introspector",
        "javax.sound.sampled.AudioFormat",
        "javax.sound.sampled.AudioSystem",
        "javax.print.DocFlavor",
        "java.applet.Applet",
        "sun.java2d.cmm.CMSManager",
        "sun.font.FontUtilities",
    };

    interface Body {
        Object run() throws Exception;
    }

    static void show(String what, Body body) {
        Object result;
        try {
            result = body.run();
        } catch (Throwable t) {
            result = t;
        }
        System.out.println(what + ": " + result);
    }

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        for (String name : NAMES) {
            show(name, () -> Class.forName(name) != null);
        }
        show("desktop", () -> java.awt.Desktop.isDesktopSupported());
        show("headless", () -> java.awt.GraphicsEnvironment.isHeadless());
        show("color", () -> new java.awt.Color(1, 2, 3) + " " + java.awt.Color.RGBtoHSB(9, 8, 7, null)[0]);
        show("rectangle", () -> new java.awt.Rectangle(1, 2, 30, 40).intersection(new java.awt.Rectangle(10, 10, 50, 10)));
        show("font", () -> new java.awt.Font("Serif", java.awt.Font.BOLD, 12).deriveFont(20f).getSize());
        show("image", () -> {
            var image = new java.awt.image.BufferedImage(4, 3, java.awt.image.BufferedImage.TYPE_INT_ARGB);
            image.setRGB(1, 2, 0x80402010);
            var bytes = new java.io.ByteArrayOutputStream();
            boolean written = javax.imageio.ImageIO.write(image, "png", bytes);
            var read = javax.imageio.ImageIO.read(new java.io.ByteArrayInputStream(bytes.toByteArray()));
            return written + " " + Integer.toHexString(read.getRGB(1, 2)) + " " + read.getWidth() + "x" + read.getHeight();
        });
        show("area", () -> {
            var area = new java.awt.geom.Area(new java.awt.geom.Ellipse2D.Double(0, 0, 10, 10));
            area.intersect(new java.awt.geom.Area(new java.awt.Rectangle(5, 5, 10, 10)));
            return area.getBounds();
        });
        show("label", () -> new javax.swing.table.DefaultTableModel(2, 3).getColumnCount());
        show("frame", () -> new java.awt.Frame("none"));
        show("event", () -> new java.awt.event.KeyEvent(new java.awt.Canvas(), 401, 0L, 0, 65, 'A').paramString());
    }
}
