import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Formats a log folder, starts a broker that is its own KRaft controller, produces and consumes records. */
public class Broker {
    public static void main(String[] args) throws Exception {
        int port = 25792;
        Properties config = new Properties();
        config.putAll(Map.of("process.roles", "broker,controller", "node.id", "1", "controller.quorum.voters", "1@127.0.0.1:" + (port + 1),
            "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + (port + 1), "controller.listener.names", "CONTROLLER",
            "log.dirs", Path.of("logs").toAbsolutePath().toString(), "offsets.topic.replication.factor", "1", "offsets.topic.num.partitions", "1",
            "group.initial.rebalance.delay.ms", "0"));
        Path file = Path.of("server.properties");
        try (var out = Files.newOutputStream(file)) {
            config.store(out, null);
        }
        int formatted = kafka.tools.StorageTool.execute(new String[] {"format", "-t", "MkU3OEVBNTcwNTJENDM2Qk", "-c", file.toString()}, System.err);
        System.out.println("formatted " + formatted);
        var server = new kafka.server.KafkaRaftServer(new kafka.server.KafkaConfig(config), org.apache.kafka.common.utils.Time.SYSTEM);
        server.startup();
        String at = "127.0.0.1:" + port;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", at))) {
            admin.createTopics(List.of(new NewTopic("words", 2, (short) 1))).all().get();
            System.out.println(admin.listTopics().names().get());
        }
        try (var producer = new KafkaProducer<>(Map.of("bootstrap.servers", at), new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < 100; i++) producer.send(new ProducerRecord<>("words", "k" + i % 5, "v" + i)).get();
        }
        var seen = new java.util.TreeMap<String, List<String>>();
        Map<String, Object> group = Map.of("bootstrap.servers", at, "group.id", "g", "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(group, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("words"));
            int count = 0;
            while (count < 100) {
                for (var record : consumer.poll(Duration.ofSeconds(1))) {
                    seen.computeIfAbsent(record.key() + " in " + record.partition(), k -> new java.util.ArrayList<>()).add(record.value());
                    count++;
                }
            }
            consumer.commitSync();
        }
        seen.forEach((k, v) -> System.out.println(k + " " + v));
        server.shutdown();
        server.awaitShutdown();
        System.out.println("stopped");
        System.exit(0);
    }
}
