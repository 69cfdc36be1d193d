import java.io.File;
import java.io.FileInputStream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.tools.ExecFileLoader;

/** Prints the lines and methods that JaCoCo's file says were executed: `Covered jacoco.exec FILE...`, class files or jars. */
public class Covered {
    public static void main(String[] args) throws Exception {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(new File(args[0]));
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(loader.getExecutionDataStore(), builder);
        for (int i = 1; i < args.length; i++) {
            try (FileInputStream in = new FileInputStream(args[i])) {
                analyzer.analyzeAll(in, args[i]);
            }
        }
        for (var source : builder.getSourceFiles())
            for (int line = source.getFirstLine(); line <= source.getLastLine(); line++) {
                ICounter counter = source.getLine(line).getInstructionCounter();
                if (counter.getTotalCount() > 0) System.out.println("line " + line + " " + counter.getCoveredCount() + " of " + counter.getTotalCount());
            }
        for (var type : builder.getClasses())
            for (var method : type.getMethods())
                System.out.println("method " + type.getName() + "." + method.getName() + method.getDesc() + " " + method.getMethodCounter().getCoveredCount());
    }
}
