import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes and reads beans, records, trees and wrong input. */
public class Jackson2 {
    public record Point(int x, double y, List<String> tags) {}

    public static class Bean {
        public String name;
        private Map<String, Point> points = new TreeMap<>();

        public Map<String, Point> getPoints() {
            return points;
        }

        public void setPoints(Map<String, Point> points) {
            this.points = points;
        }
    }

    public static void main(String[] args) throws Exception {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).setSerializationInclusion(JsonInclude.Include.NON_NULL);
        Bean bean = new Bean();
        bean.name = "β\u0000\"";
        for (int i = 0; i < 5; i++) bean.points.put("p" + i, new Point(i, i / 3.0, List.of("a" + i, "b")));
        String text = mapper.writeValueAsString(bean);
        System.out.println(text);
        Bean back = mapper.readValue(text, Bean.class);
        System.out.println(back.getPoints());
        JsonNode tree = mapper.readTree(text);
        System.out.println(tree.at("/points/p3/y").asDouble());
        StringBuilder large = new StringBuilder("[");
        for (int i = 0; i < 20_000; i++) large.append(i == 0 ? "" : ",").append("{\"x\":").append(i).append(",\"y\":").append(i * 0.1).append('}');
        double sum = 0;
        for (Point point : mapper.readValue(large.append(']').toString(), Point[].class)) sum += point.x() * point.y();
        System.out.println(sum);
        try {
            mapper.readValue("{\"name\": 1, \"other\": 2}", Bean.class);
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
    }
}
