import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import javax.imageio.ImageIO;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.PNGTranscoder;

/** A drawing in SVG, which Batik makes a PNG of. */
public class Drawing {
    static final String SVG = "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'>"
        + "<defs><linearGradient id='g'><stop offset='0' stop-color='red'/><stop offset='1' stop-color='blue' stop-opacity='0.4'/>"
        + "</linearGradient><filter id='f'><feGaussianBlur stdDeviation='3'/></filter></defs>"
        + "<rect x='10' y='10' width='200' height='120' rx='15' fill='url(#g)' stroke='black' stroke-width='3'/>"
        + "<circle cx='200' cy='120' r='60' fill='green' opacity='0.5' filter='url(#f)'/>"
        + "<path d='M20 180 C 80 20 160 220 290 40' fill='none' stroke='navy' stroke-dasharray='8 4'/>"
        + "<text x='30' y='80' font-family='DejaVu Serif' font-size='28' transform='rotate(5)'>Drawn text</text></svg>";

    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PNGTranscoder().transcode(new TranscoderInput(new StringReader(SVG)), new TranscoderOutput(out));
        Hash.bytes("png", out.toByteArray());
        Hash.picture("drawing", ImageIO.read(new ByteArrayInputStream(out.toByteArray())));
    }
}
