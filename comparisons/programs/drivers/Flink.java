import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job of two parallel tasks in a local cluster: counts words by key. */
public class Flink {
    public static void main(String[] args) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("rest.bind-address", "127.0.0.1");
        configuration.setString("rest.bind-port", "0");
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
        var counts = environment.fromSequence(0, 999).map(i -> Tuple2.of("w" + i % 7, i)).returns(Types.TUPLE(Types.STRING, Types.LONG))
            .keyBy(t -> t.f0).reduce((a, b) -> Tuple2.of(a.f0, a.f1 + b.f1));
        var last = new TreeMap<String, Long>();
        try (var results = counts.executeAndCollect("words")) {
            results.forEachRemaining(t -> last.merge(t.f0, t.f1, Math::max));
        }
        System.out.println(last);
        System.exit(0);
    }
}
