import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;

/** Two members in one process that find each other over TCP: a map that both use, a query, an entry processor. */
public class Hz {
    public static void main(String[] args) {
        HazelcastInstance one = Hazelcast.newHazelcastInstance(config());
        HazelcastInstance two = Hazelcast.newHazelcastInstance(config());
        System.out.println("members " + one.getCluster().getMembers().size());
        IMap<Integer, String> map = one.getMap("m");
        for (int i = 0; i < 200; i++) map.put(i, "v" + i % 10);
        IMap<Integer, String> other = two.getMap("m");
        System.out.println(other.size() + " " + other.get(42));
        System.out.println(new java.util.TreeSet<>(other.keySet(Predicates.sql("this = 'v7' and __key < 50"))));
        other.executeOnKey(7, entry -> entry.setValue("changed"));
        System.out.println(map.get(7));
        one.shutdown();
        System.out.println(other.size() + " members " + two.getCluster().getMembers().size());
        Hazelcast.shutdownAll();
        System.exit(0);
    }

    static Config config() {
        Config config = new Config().setProperty("hazelcast.phone.home.enabled", "false").setProperty("hazelcast.partition.count", "31");
        var network = config.getNetworkConfig().setPort(25701);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getTcpIpConfig().setEnabled(true).addMember("127.0.0.1:25701").addMember("127.0.0.1:25702");
        return config;
    }
}
