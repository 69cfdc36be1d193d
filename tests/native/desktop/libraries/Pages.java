import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.graphics.image.JPEGFactory;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.apache.pdfbox.rendering.ImageType;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.text.PDFTextStripper;

/** A page that PDFBox writes, reads and draws. */
public class Pages {
    public static void main(String[] args) throws Exception {
        byte[] bytes;
        try (PDDocument document = new PDDocument()) {
            PDPage page = new PDPage(new PDRectangle(400, 300));
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(PDType1Font.HELVETICA_BOLD, 24);
                content.newLineAtOffset(30, 250);
                content.showText("A page of PDF");
                content.endText();
                if (args.length > 0) {
                    content.beginText();
                    content.setFont(PDType0Font.load(document, new java.io.File(args[0])), 14);
                    content.newLineAtOffset(30, 220);
                    content.showText("Embedded: \u00e4\u00f6\u00fc \u03b1\u03b2\u03b3");
                    content.endText();
                }
                content.setNonStrokingColor(200, 30, 90);
                content.addRect(40, 40, 120, 80);
                content.fill();
                content.setLineWidth(3);
                content.moveTo(20, 30);
                content.curveTo(100, 200, 250, 10, 380, 150);
                content.stroke();
                content.drawImage(JPEGFactory.createFromImage(document, Files.picture(BufferedImage.TYPE_INT_RGB)), 200, 60, 80, 60);
                content.drawImage(LosslessFactory.createFromImage(document, Files.picture(BufferedImage.TYPE_INT_ARGB)), 300, 160, 80, 90);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            document.save(out);
            bytes = out.toByteArray();
        }
        try (PDDocument document = PDDocument.load(new ByteArrayInputStream(bytes))) {
            System.out.println(new PDFTextStripper().getText(document).trim());
            PDFRenderer renderer = new PDFRenderer(document);
            for (ImageType type : ImageType.values()) {
                Hash.picture(type.toString(), renderer.renderImage(0, 1.5f, type));
            }
        }
    }
}
