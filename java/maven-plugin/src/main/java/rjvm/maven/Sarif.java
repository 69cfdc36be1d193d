package rjvm.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Findings of {@code rjvm explore} and {@code rjvm why} (their JSON) as SARIF 2.1.0, which code hosts show beside the lines. It also runs
 * without Maven: {@code java -cp rjvm-maven-plugin.jar rjvm.maven.Sarif found.json found.sarif src/main/java src/test/java}.
 */
public final class Sarif {
    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
    /** {@code com.acme.Pool.close(Pool.java:31)} */
    private static final Pattern FRAME = Pattern.compile("(?:[^/]*/)?([\\w.$<>]+)\\(([^():]+):(\\d+)\\)");
    /** A cause below this share of the run, in thousandths, is a note. */
    private static final long NOTABLE = 50;

    private final List<File> sources;
    private final Path root;
    private final Map<String, String> rules = new TreeMap<>();
    private final List<Object> results = new ArrayList<>();

    private Sarif(List<File> sources, File root) {
        this.sources = sources;
        this.root = root.getAbsoluteFile().toPath().normalize();
    }

    /** A converter of files: the JSON, the file to write, and folders of sources. */
    public static void main(String[] words) throws IOException {
        if (words.length < 2) {
            System.err.println("Usage: rjvm.maven.Sarif FOUND.json OUT.sarif [FOLDER-OF-SOURCES...]");
            System.exit(2);
        }
        List<File> sources = new ArrayList<>();
        for (String folder : Arrays.asList(words).subList(2, words.length)) {
            sources.add(new File(folder));
        }
        write(of(Json.read(Paths.get(words[0])), sources, new File("")), Paths.get(words[1]));
    }

    static void write(Object log, Path file) throws IOException {
        Files.write(file, Json.write(log).getBytes(StandardCharsets.UTF_8));
    }

    /** The log of what either command has found. Places are relative to {@code root} where a folder of sources has their file. */
    static Object of(Object found, List<File> sources, File root) throws IOException {
        Sarif sarif = new Sarif(sources, root);
        if (Json.at(found, "exploration") != null) {
            for (Object failure : Json.list(found, "failures")) {
                sarif.failure(failure);
            }
            for (Object race : Json.list(found, "races")) {
                sarif.race(race);
            }
        } else if (Json.at(found, "claims") != null) {
            for (Object claim : Json.list(found, "claims")) {
                sarif.claim(claim);
            }
        } else {
            throw new IOException("neither the JSON of rjvm explore nor of rjvm why");
        }
        return sarif.log();
    }

    /** How a schedule failed, in a line. */
    static String outcome(Object outcome) {
        String kind = Json.text(outcome, "kind");
        String type = Json.text(outcome, "class");
        String message = Json.text(outcome, "message");
        String thread = Json.text(outcome, "thread", "name");
        String text = type == null ? kind : type;
        Object code = Json.at(outcome, "code");
        text = code == null ? text : text + " with code " + code;
        text = message == null ? text : text + ": " + message;
        return thread == null ? text : text + " in \"" + thread + "\"";
    }

    private void failure(Object failure) {
        Object outcome = Json.at(failure, "outcome");
        String kind = Json.text(outcome, "kind");
        String rule = rule("explore/" + kind, "A schedule of the threads ends with: " + kind);
        Map<String, Object> result = result(rule, "error", outcome(outcome));
        Object shown = Json.at(failure, "shown", "failure");
        List<Object> frames = new ArrayList<>();
        for (Object frame : Json.list(outcome, "stack")) {
            frames.add(frame);
        }
        Object place = first(frames);
        List<Object> steps = new ArrayList<>();
        for (Object step : Json.list(shown, "steps")) {
            String file = Json.text(step, "file");
            long line = Json.number(step, "line");
            String method = Json.text(step, "method");
            if (file == null || line <= 0 || method == null) {
                continue;
            }
            Object at = location(packageOf(method), file, line);
            place = place == null ? at : place;
            String action = Json.text(step, "action") + " " + Json.text(step, "place");
            steps.add(map("location", with(at, "message", map("text", "thread " + Json.number(step, "thread") + " " + action))));
        }
        result.put("locations", place == null ? Collections.emptyList() : Collections.singletonList(place));
        if (!steps.isEmpty()) {
            result.put("codeFlows", Collections.singletonList(map("threadFlows", Collections.singletonList(map("locations", steps)))));
        }
        String replay = Json.text(shown, "replay");
        if (replay != null) {
            result.put("properties", map("replay", replay, "schedule", Json.text(failure, "shown", "schedule")));
        }
    }

    private void race(Object race) {
        String rule = rule("explore/race", "Two threads use a variable, and nothing orders them");
        Map<String, Object> result = result(rule, "error", "data race on " + Json.text(race, "place") + " in "
                + Json.number(race, "count") + " schedules");
        List<Object> frames = new ArrayList<>();
        for (String side : new String[] {"first", "second"}) {
            frames.addAll(Json.list(race, side, "stack"));
        }
        Object place = first(frames);
        result.put("locations", place == null ? Collections.emptyList() : Collections.singletonList(place));
    }

    private void claim(Object claim) {
        List<String> why = new ArrayList<>();
        for (Object word : Json.list(claim, "why")) {
            why.add(word.toString());
        }
        String name = String.join(" > ", why);
        String rule = rule("why/" + String.join("/", why).replace(' ', '-'), name);
        long permille = Json.number(claim, "saving", "permille");
        String text = Json.text(claim, "title") + " (" + name + "; up to " + permille / 10 + "." + permille % 10 + " % "
                + Json.text(claim, "saving", "how") + ")";
        Map<String, Object> result = result(rule, permille < NOTABLE ? "note" : "warning", text);
        String file = Json.text(claim, "place", "file");
        long line = Json.number(claim, "place", "line");
        List<Object> places = new ArrayList<>();
        if (file != null && line > 0) {
            places.add(location(Json.text(claim, "place", "package"), file, line));
        }
        result.put("locations", places);
    }

    private String rule(String id, String text) {
        rules.put(id, text);
        return id;
    }

    private Map<String, Object> result(String rule, String level, String text) {
        Map<String, Object> result = map("ruleId", rule, "level", level, "message", map("text", text));
        results.add(result);
        return result;
    }

    /** The place of the first frame that is in a source file of the project; else of the first frame. */
    private Object first(List<?> frames) {
        Object other = null;
        for (Object frame : frames) {
            Matcher parts = FRAME.matcher(frame.toString());
            if (!parts.matches()) {
                continue;
            }
            String inside = packageOf(parts.group(1));
            Object place = location(inside, parts.group(2), Long.parseLong(parts.group(3)));
            if (source(inside, parts.group(2)) != null) {
                return place;
            }
            other = other == null ? place : other;
        }
        return other;
    }

    /** Of {@code com.acme.Pool.close}: {@code com.acme}. */
    private static String packageOf(String method) {
        int end = method.lastIndexOf('.', method.lastIndexOf('.') - 1);
        return end < 0 ? "" : method.substring(0, end);
    }

    private Path source(String inside, String file) {
        String name = inside == null || inside.isEmpty() ? file : inside.replace('.', '/') + "/" + file;
        for (File folder : sources) {
            Path path = folder.getAbsoluteFile().toPath().resolve(name).normalize();
            if (Files.isRegularFile(path)) {
                return path;
            }
        }
        return null;
    }

    private Object location(String inside, String file, long line) {
        Path path = source(inside, file);
        String uri = inside == null || inside.isEmpty() ? file : inside.replace('.', '/') + "/" + file;
        if (path != null) {
            uri = path.startsWith(root) ? root.relativize(path).toString() : path.toString();
        }
        return map("physicalLocation", map("artifactLocation", map("uri", uri.replace(File.separatorChar, '/').replace(" ", "%20")),
                "region", map("startLine", line)));
    }

    private Object log() {
        List<Object> described = new ArrayList<>();
        for (Map.Entry<String, String> rule : rules.entrySet()) {
            described.add(map("id", rule.getKey(), "shortDescription", map("text", rule.getValue())));
        }
        Object driver = map("name", "rjvm", "rules", described);
        Object run = map("tool", map("driver", driver), "results", results);
        return map("$schema", SCHEMA, "version", "2.1.0", "runs", Collections.singletonList(run));
    }

    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i + 1] != null) {
                map.put((String) pairs[i], pairs[i + 1]);
            }
        }
        return map;
    }

    private static Object with(Object map, String name, Object value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
            copy.put(entry.getKey().toString(), entry.getValue());
        }
        copy.put(name, value);
        return copy;
    }
}
