import java.awt.AlphaComposite;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.LinearGradientPaint;
import java.awt.MultipleGradientPaint;
import java.awt.RadialGradientPaint;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.TexturePaint;
import java.awt.geom.AffineTransform;
import java.awt.geom.Arc2D;
import java.awt.geom.Area;
import java.awt.geom.CubicCurve2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.GeneralPath;
import java.awt.geom.Line2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;

/** Shapes on all types of pictures. */
public class Shapes {
    static void shapes(Graphics2D g) {
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, 200, 150);
        g.setColor(new Color(200, 30, 30));
        g.fill(new Ellipse2D.Double(10.5, 10.25, 80, 60));
        g.setColor(new Color(0, 90, 180, 128));
        g.fill(new RoundRectangle2D.Double(50, 30, 90, 70, 20, 15));
        g.setColor(Color.BLACK);
        g.setStroke(new BasicStroke(3.5f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_BEVEL));
        g.draw(new CubicCurve2D.Double(5, 140, 60, 20, 120, 160, 190, 10));
        g.setStroke(new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {6, 3}, 1));
        g.draw(new Line2D.Double(0, 0, 199, 149));
        g.setStroke(new BasicStroke());
        g.drawRect(3, 3, 60, 40);
        g.drawOval(100, 80, 50, 60);
        g.drawPolygon(new int[] {120, 190, 150}, new int[] {10, 40, 90}, 3);
        g.drawLine(0, 149, 199, 0);
        g.fill(new Arc2D.Double(130, 90, 60, 50, 30, 250, Arc2D.PIE));
    }

    static void more(Graphics2D g, BufferedImage on) {
        AffineTransform before = g.getTransform();
        g.setPaint(new GradientPaint(0, 0, Color.YELLOW, 100, 100, Color.BLUE));
        g.rotate(0.3, 100, 75);
        g.fillRect(20, 20, 90, 40);
        g.setTransform(before);
        Hash.picture("  gradient", on);
        Color[] colors = {Color.RED, Color.GREEN, new Color(0, 0, 255, 80)};
        g.setPaint(new LinearGradientPaint(10, 10, 60, 60, new float[] {0, .4f, 1}, colors,
            MultipleGradientPaint.CycleMethod.REFLECT));
        g.fillOval(90, 10, 100, 60);
        g.setPaint(new RadialGradientPaint(60, 100, 40, new float[] {0, .7f, 1}, colors));
        g.fillRect(20, 60, 90, 80);
        Hash.picture("  gradients of colours", on);
        BufferedImage tile = new BufferedImage(8, 8, BufferedImage.TYPE_INT_ARGB);
        for (int i = 0; i < 8; i++) tile.setRGB(i, (i * 3) % 8, 0xff00ff00 + i * 20);
        g.setPaint(new TexturePaint(tile, new Rectangle(0, 0, 8, 8)));
        g.fill(new Ellipse2D.Float(100, 60, 80, 80));
        Hash.picture("  texture", on);
        Area clip = new Area(new Ellipse2D.Double(30, 20, 120, 110));
        clip.subtract(new Area(new Rectangle(70, 60, 40, 30)));
        g.setClip(clip);
        g.setColor(Color.MAGENTA);
        g.fillRect(0, 0, 200, 75);
        g.setColor(Color.GRAY);
        g.drawLine(0, 70, 200, 100);
        g.fill(new Ellipse2D.Double(60, 50, 80, 70));
        g.setClip(null);
        Hash.picture("  clip", on);
        int[] rules = {AlphaComposite.SRC, AlphaComposite.DST_OVER, AlphaComposite.SRC_IN, AlphaComposite.XOR,
            AlphaComposite.CLEAR, AlphaComposite.SRC_ATOP};
        for (int i = 0; i < rules.length; i++) {
            g.setComposite(AlphaComposite.getInstance(rules[i], 0.6f));
            g.setColor(new Color(20 * i, 255 - 30 * i, 99, 180));
            g.fillRect(i * 30, i * 12, 40, 60);
        }
        g.setComposite(AlphaComposite.SrcOver);
        Hash.picture("  composites", on);
        g.setXORMode(Color.CYAN);
        g.fillOval(40, 40, 90, 90);
        g.drawLine(0, 20, 190, 130);
        g.setPaintMode();
        Hash.picture("  xor", on);
        g.copyArea(10, 10, 60, 60, 100, 50);
        Hash.picture("  copied area", on);
        GeneralPath path = new GeneralPath(GeneralPath.WIND_EVEN_ODD);
        for (int i = 0; i < 7; i++) {
            double a = i * 4 * Math.PI / 7;
            float x = (float) (100 + 60 * Math.cos(a)), y = (float) (75 + 60 * Math.sin(a));
            if (i == 0) path.moveTo(x, y); else path.quadTo(100, 75, x, y);
        }
        path.closePath();
        g.setColor(new Color(10, 120, 60));
        g.fill(path);
        g.scale(0.5, 0.7);
        g.shear(0.2, 0.1);
        g.draw(path);
        g.setTransform(before);
        Hash.picture("  path", on);
    }

    static void pictures(Graphics2D g, BufferedImage on, BufferedImage source) {
        Object[] hints = {RenderingHints.VALUE_INTERPOLATION_NEAREST_NEIGHBOR, RenderingHints.VALUE_INTERPOLATION_BILINEAR,
            RenderingHints.VALUE_INTERPOLATION_BICUBIC};
        g.drawImage(source, 3, 5, null);
        Hash.picture("  drawn", on);
        for (Object hint : hints) {
            g.setRenderingHint(RenderingHints.KEY_INTERPOLATION, hint);
            g.drawImage(source, 20, 20, 77, 55, null);
            g.drawImage(source, 90, 10, 190, 140, 10, 10, 40, 40, null);
            AffineTransform t = AffineTransform.getRotateInstance(0.5, 80, 60);
            t.scale(0.6, 0.8);
            g.drawImage(source, t, null);
            Hash.picture("  drawn " + hint, on);
        }
        g.drawImage(source, 5, 5, Color.ORANGE, null);
        Hash.picture("  drawn on a colour", on);
    }

    public static void main(String[] args) {
        BufferedImage source = new BufferedImage(200, 150, BufferedImage.TYPE_INT_ARGB);
        shapes(source.createGraphics());
        for (int type = BufferedImage.TYPE_INT_RGB; type <= BufferedImage.TYPE_BYTE_INDEXED; type++) {
            for (boolean smooth : new boolean[] {false, true}) {
                BufferedImage image = new BufferedImage(200, 150, type);
                Graphics2D g = image.createGraphics();
                g.setRenderingHint(RenderingHints.KEY_ANTIALIASING,
                    smooth ? RenderingHints.VALUE_ANTIALIAS_ON : RenderingHints.VALUE_ANTIALIAS_OFF);
                shapes(g);
                Hash.picture("type " + type + (smooth ? " smooth" : ""), image);
                more(g, image);
                pictures(g, image, source);
                g.dispose();
            }
        }
    }
}
