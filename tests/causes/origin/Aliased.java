import java.util.ArrayList;
import java.util.List;

/** Two teams share one list: what is added to one is in the other. */
public class Aliased {
    static class Team {
        final List<String> names;

        Team(List<String> names) {
            this.names = names;
        }

        void join(String name) {
            names.add(name);
        }
    }

    static Team copy(Team team) {
        return new Team(team.names);
    }

    public static void main(String[] args) {
        Team first = new Team(new ArrayList<>());
        first.join("Ada");
        Team second = copy(first);
        second.join("Bob");
        String last = first.names.get(first.names.size() - 1);
        if (!last.equals("Ada")) {
            throw new IllegalStateException(last);
        }
    }
}
