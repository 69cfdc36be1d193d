import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.GraphicsEnvironment;
import java.awt.RenderingHints;
import java.awt.font.FontRenderContext;
import java.awt.font.GlyphVector;
import java.awt.font.LineBreakMeasurer;
import java.awt.font.TextAttribute;
import java.awt.font.TextLayout;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.File;
import java.text.AttributedString;
import java.util.Arrays;
import java.util.Map;

/** Fonts: measures, outlines, and text on pictures. */
public class Letters {
    static final String TEXT = "Hamburgefonts \u00c4\u00d6\u00dc \u03b1\u03b2\u03b3 AVATAR fi 123";
    static final String MIXED = "abc \u05d0\u05d1\u05d2 \u0627\u0644\u0639 def";

    static void measures(Graphics2D g, Font font) {
        g.setFont(font);
        FontMetrics m = g.getFontMetrics();
        System.out.println(font.getFontName() + " " + font.getSize2D() + ": " + m.getAscent() + " " + m.getDescent() + " " + m.getLeading()
            + " " + m.getHeight() + " " + m.getMaxAdvance() + " " + m.stringWidth(TEXT) + " " + m.charWidth('W') + " "
            + m.getStringBounds(TEXT, g));
        FontRenderContext exact = new FontRenderContext(null, true, true);
        GlyphVector v = font.createGlyphVector(exact, TEXT);
        System.out.println("  " + v.getNumGlyphs() + " " + v.getLogicalBounds() + " " + v.getVisualBounds() + " " + v.getOutline().getBounds2D());
        GlyphVector laid = font.layoutGlyphVector(exact, MIXED.toCharArray(), 0, MIXED.length(), Font.LAYOUT_LEFT_TO_RIGHT);
        System.out.println("  " + laid.getNumGlyphs() + " " + laid.getLogicalBounds());
        System.out.println("  " + font.getLineMetrics(TEXT, exact).getUnderlineOffset() + " " + font.canDisplayUpTo(TEXT) + " "
            + font.getNumGlyphs() + " " + font.hasLayoutAttributes() + " " + font.getMaxCharBounds(exact));
    }

    static void text(Graphics2D g, BufferedImage on, Font font) {
        Object[] hints = {RenderingHints.VALUE_TEXT_ANTIALIAS_OFF, RenderingHints.VALUE_TEXT_ANTIALIAS_ON,
            RenderingHints.VALUE_TEXT_ANTIALIAS_GASP, RenderingHints.VALUE_TEXT_ANTIALIAS_LCD_HRGB};
        int y = 20;
        for (Object hint : hints) {
            g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, hint);
            g.setFont(font);
            g.drawString(TEXT, 5, y);
            g.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
            g.drawString(MIXED, 5.3f, y + 18.7f);
            g.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_OFF);
            y += 40;
            Hash.picture("  " + hint, on);
        }
        g.setFont(font.deriveFont(AffineTransform.getRotateInstance(0.2)));
        g.drawString("rotated", 100, 60);
        g.setFont(font.deriveFont(Font.BOLD | Font.ITALIC, 30f));
        g.drawString("derived", 150, 120);
        g.setFont(font.deriveFont(Map.of(TextAttribute.TRACKING, 0.2, TextAttribute.UNDERLINE, TextAttribute.UNDERLINE_ON)));
        g.drawString("tracked", 20, 150);
        g.rotate(-0.1);
        g.setFont(font.deriveFont(150f));
        g.drawString("Big", 20, 180);
        g.rotate(0.1);
        Hash.picture("  derived", on);
        AttributedString lines = new AttributedString((TEXT + " ").repeat(4));
        lines.addAttribute(TextAttribute.FONT, font);
        lines.addAttribute(TextAttribute.FOREGROUND, Color.RED, 10, 30);
        lines.addAttribute(TextAttribute.WEIGHT, TextAttribute.WEIGHT_BOLD, 5, 20);
        LineBreakMeasurer measurer = new LineBreakMeasurer(lines.getIterator(), g.getFontRenderContext());
        float at = 10;
        while (measurer.getPosition() < lines.getIterator().getEndIndex()) {
            TextLayout layout = measurer.nextLayout(230);
            at += layout.getAscent();
            layout.draw(g, 10, at);
            at += layout.getDescent() + layout.getLeading();
            System.out.println("  line " + layout.getAdvance() + " " + layout.getBounds());
        }
        Hash.picture("  lines", on);
        g.fill(new TextLayout("Outline", font.deriveFont(40f), g.getFontRenderContext())
            .getOutline(AffineTransform.getTranslateInstance(10, 190)));
        Hash.picture("  outline", on);
    }

    public static void main(String[] args) throws Exception {
        GraphicsEnvironment all = GraphicsEnvironment.getLocalGraphicsEnvironment();
        System.out.println(GraphicsEnvironment.isHeadless());
        System.out.println(Arrays.toString(all.getAvailableFontFamilyNames()));
        for (int type : new int[] {BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_INT_ARGB, BufferedImage.TYPE_BYTE_GRAY,
            BufferedImage.TYPE_3BYTE_BGR}) {
            BufferedImage image = new BufferedImage(250, 200, type);
            Graphics2D g = image.createGraphics();
            g.setColor(Color.WHITE);
            g.fillRect(0, 0, 250, 200);
            g.setColor(Color.BLACK);
            for (String name : new String[] {Font.SANS_SERIF, Font.SERIF, Font.MONOSPACED, "DejaVu Sans", "No such font"}) {
                Font font = new Font(name, Font.PLAIN, 14);
                measures(g, font);
                text(g, image, font);
            }
        }
        if (args.length > 0) {
            Font made = Font.createFont(Font.TRUETYPE_FONT, new File(args[0])).deriveFont(17f);
            System.out.println(made + " " + all.registerFont(made));
            BufferedImage image = new BufferedImage(250, 200, BufferedImage.TYPE_INT_ARGB_PRE);
            Graphics2D g = image.createGraphics();
            measures(g, made);
            text(g, image, made);
        }
        try {
            Font.createFont(Font.TRUETYPE_FONT, new java.io.ByteArrayInputStream(new byte[100]));
        } catch (java.awt.FontFormatException e) {
            // its message names a temporary file
            System.out.println(e.getClass());
        }
    }
}
