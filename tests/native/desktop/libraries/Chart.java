import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import javax.imageio.ImageIO;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DefaultPieDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Charts of JFreeChart as PNG. */
public class Chart {
    static void print(String what, JFreeChart chart) throws Exception {
        BufferedImage image = chart.createBufferedImage(500, 320);
        Hash.picture(what, image);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(image, "png", out);
        Hash.bytes("  png", out.toByteArray());
    }

    public static void main(String[] args) throws Exception {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        XYSeries series = new XYSeries("sine");
        DefaultPieDataset pie = new DefaultPieDataset();
        for (int i = 0; i < 12; i++) {
            bars.addValue(i * i % 17 + 1, "row " + i % 3, "column " + i % 4);
            pie.setValue("part " + i, i + 1);
        }
        for (int i = 0; i < 200; i++) series.add(i / 10.0, Math.sin(i / 10.0));
        print("bars", ChartFactory.createBarChart("Bars", "columns", "values", bars, PlotOrientation.VERTICAL, true, false, false));
        print("bars in space", ChartFactory.createBarChart3D("Bars", "columns", "values", bars));
        print("line", ChartFactory.createXYLineChart("Line", "x", "sin x", new XYSeriesCollection(series)));
        print("pie", ChartFactory.createPieChart("Pie", pie, true, false, false));
    }
}
