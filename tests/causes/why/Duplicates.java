import java.util.ArrayList;
import java.util.List;

/** Planted: names are made unique with a list that is searched from its beginning for each of them. */
public class Duplicates {
    public static void main(String[] args) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            names.add("name" + i * 7919 % 3000);
        }
        System.out.println(unique(names).size());
    }

    static List<String> unique(List<String> names) {
        List<String> found = new ArrayList<>();
        for (String name : names) {
            if (!found.contains(name)) { // planted
                found.add(name);
            }
        }
        return found;
    }
}
