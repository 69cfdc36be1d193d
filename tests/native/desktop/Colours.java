import java.awt.Color;
import java.awt.RenderingHints;
import java.awt.color.CMMException;
import java.awt.color.ColorSpace;
import java.awt.color.ICC_ColorSpace;
import java.awt.color.ICC_Profile;
import java.awt.geom.AffineTransform;
import java.awt.image.AffineTransformOp;
import java.awt.image.BufferedImage;
import java.awt.image.BufferedImageOp;
import java.awt.image.ByteLookupTable;
import java.awt.image.ColorConvertOp;
import java.awt.image.ConvolveOp;
import java.awt.image.Kernel;
import java.awt.image.LookupOp;
import java.awt.image.RescaleOp;
import java.util.Arrays;

/** Conversions of colours, and filters of pictures. */
public class Colours {
    static void filter(String what, BufferedImageOp op, BufferedImage image) {
        try {
            Hash.picture("  " + what, op.filter(image, null));
        } catch (RuntimeException e) {
            System.out.println("  " + what + ": " + e);
        }
    }

    static void spaces() {
        int[] numbers = {ColorSpace.CS_sRGB, ColorSpace.CS_LINEAR_RGB, ColorSpace.CS_CIEXYZ, ColorSpace.CS_PYCC, ColorSpace.CS_GRAY};
        for (int number : numbers) {
            ColorSpace space = ColorSpace.getInstance(number);
            System.out.println(number + " " + space.getType() + " " + space.getNumComponents() + " " + space.getMinValue(0) + " "
                + space.getMaxValue(0) + " " + space.getName(0));
            float[] some = new float[space.getNumComponents()];
            Arrays.fill(some, 0.4f);
            some[0] = 0.7f;
            System.out.println("  " + Arrays.toString(space.toRGB(some)) + " " + Arrays.toString(space.toCIEXYZ(some)));
            System.out.println("  " + Arrays.toString(space.fromRGB(new float[] {0.1f, 0.5f, 0.9f})) + " "
                + Arrays.toString(space.fromCIEXYZ(new float[] {0.3f, 0.4f, 0.2f})));
            try {
                profile(((ICC_ColorSpace) space).getProfile());
            } catch (CMMException e) {
                System.out.println("  " + e);
            }
        }
        System.out.println(Arrays.toString(new Color(30, 90, 200).getColorComponents(ColorSpace.getInstance(ColorSpace.CS_CIEXYZ), null)));
        try {
            ICC_Profile.getInstance(new byte[200]);
        } catch (IllegalArgumentException | CMMException e) {
            System.out.println(e);
        }
    }

    static void profile(ICC_Profile profile) {
        byte[] data = profile.getData();
        System.out.println("  " + data.length + " " + profile.getMajorVersion() + "." + profile.getMinorVersion() + " "
            + profile.getProfileClass() + " " + profile.getPCSType() + " " + profile.getColorSpaceType());
        Hash.bytes("  profile", data);
        Hash.bytes("  copyright", profile.getData(ICC_Profile.icSigCopyrightTag));
        ICC_Profile copy = ICC_Profile.getInstance(data);
        byte[] header = copy.getData(ICC_Profile.icSigHead);
        header[67] = 1;
        copy.setData(ICC_Profile.icSigHead, header);
        Hash.bytes("  changed", copy.getData());
    }

    public static void main(String[] args) {
        spaces();
        int[] types = {BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_INT_ARGB, BufferedImage.TYPE_INT_ARGB_PRE, BufferedImage.TYPE_3BYTE_BGR,
            BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_USHORT_GRAY, BufferedImage.TYPE_USHORT_565_RGB, BufferedImage.TYPE_BYTE_INDEXED};
        for (int type : types) {
            BufferedImage image = Files.picture(type);
            Hash.picture("type " + type, image);
            float[] blur = new float[9], edge = {0, -1, 0, -1, 5, -1, 0, -1, 0};
            Arrays.fill(blur, 1 / 9f);
            filter("blurred", new ConvolveOp(new Kernel(3, 3, blur)), image);
            filter("sharp", new ConvolveOp(new Kernel(3, 3, edge), ConvolveOp.EDGE_NO_OP, null), image);
            float[] wide = new float[25];
            Arrays.fill(wide, 0.04f);
            filter("more blurred", new ConvolveOp(new Kernel(5, 5, wide), ConvolveOp.EDGE_NO_OP, null), image);
            for (int way = 1; way <= 3; way++) {
                AffineTransform t = AffineTransform.getRotateInstance(0.3, 50, 50);
                t.scale(1.3, 0.7);
                filter("turned " + way, new AffineTransformOp(t, way), image);
                filter("scaled " + way, new AffineTransformOp(AffineTransform.getScaleInstance(0.5, 1.5), way), image);
            }
            byte[] inverse = new byte[256];
            for (int i = 0; i < 256; i++) inverse[i] = (byte) (255 - i);
            filter("inverse", new LookupOp(new ByteLookupTable(0, inverse), null), image);
            filter("lighter", new RescaleOp(1.3f, 10, null), image);
            filter("grey", new ColorConvertOp(ColorSpace.getInstance(ColorSpace.CS_GRAY), null), image);
            filter("linear", new ColorConvertOp(ColorSpace.getInstance(ColorSpace.CS_LINEAR_RGB), null), image);
            filter("PYCC", new ColorConvertOp(ColorSpace.getInstance(ColorSpace.CS_PYCC), new RenderingHints(RenderingHints.KEY_COLOR_RENDERING,
                RenderingHints.VALUE_COLOR_RENDER_QUALITY)), image);
            for (int to : types) {
                BufferedImage other = new BufferedImage(image.getWidth(), image.getHeight(), to);
                try {
                    new ColorConvertOp(null).filter(image, other);
                    Hash.picture("  to " + to, other);
                } catch (RuntimeException e) {
                    System.out.println("  to " + to + ": " + e);
                }
            }
        }
    }
}
