package waymark.cases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import waymark.client.json.Json;
import waymark.client.json.JsonException;

/** Runs one file of the cases that all clients share; see Clients/README.md, section 13. */
public final class Cases {
    private interface Kind {
        Map<String, Object> run(Map<String, Object> input) throws Exception;
    }

    private static final Map<String, Kind> KINDS = new LinkedHashMap<>();

    static {
        KINDS.put("url", UrlCases::url);
        KINDS.put("routes", UrlCases::routes);
        KINDS.put("templates", UrlCases::templates);
        KINDS.put("create", ClientCases::create);
        KINDS.put("resolve", ClientCases::resolve);
        KINDS.put("openings", OpeningCases::openings);
        KINDS.put("explain", OpeningCases::explain);
        KINDS.put("retries", ClientCases::retries);
        KINDS.put("deferred", ClientCases::deferred);
        KINDS.put("events", ClientCases::events);
    }

    /** Members of which only the expected members count. */
    private static final List<String> PARTS =
            java.util.Arrays.asList("deeplink", "deferred", "installation", "explanation");

    private Cases() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** The exit status: 0 if all passed, 1 if one failed, 2 if the file can't be read. */
    static int run(String[] arguments) {
        if (arguments.length != 1) {
            System.err.println("usage: cases FILE");
            return 2;
        }
        Kind kind;
        List<Object> cases;
        try {
            Map<String, Object> file = Json.read(Files.readAllBytes(Paths.get(arguments[0]))).getMembers();
            kind = KINDS.get(Json.asString(file.get("kind")));
            cases = Json.asArray(file.get("cases"));
            if (kind == null || cases == null) throw new JsonException("it has no known kind or no cases");
        } catch (IOException | JsonException error) {
            System.err.println(arguments[0] + ": " + error.getMessage());
            return 2;
        }
        int passed = 0;
        for (Object element : cases) if (passes(kind, Json.asObject(element))) passed++;
        System.out.println(passed + " cases passed");
        return passed == cases.size() ? 0 : 1;
    }

    private static boolean passes(Kind kind, Map<String, Object> test) {
        Map<String, Object> expected = Json.asObject(test.get("expected"));
        Map<String, Object> actual;
        try {
            actual = kind.run(Json.asObject(test.get("input")));
        } catch (Exception error) {
            error.printStackTrace();
            actual = new LinkedHashMap<>();
        }
        boolean passes = true;
        for (Map.Entry<String, Object> member : expected.entrySet()) {
            Object value = actual.get(member.getKey());
            boolean isPart = PARTS.contains(member.getKey());
            if (member.getKey().equals("results")) {
                String wrong = results(Json.asArray(member.getValue()), Json.asArray(value));
                if (wrong == null) continue;
                System.err.println(test.get("name") + ": " + wrong);
                passes = false;
                continue;
            }
            if (actual.containsKey(member.getKey()) && matches(member.getValue(), value, isPart)) continue;
            System.err.println(test.get("name") + ": " + member.getKey() + ": expected "
                    + Json.write(member.getValue()) + ", was " + Json.write(value));
            passes = false;
        }
        return passes;
    }

    /** What is wrong with the results of the steps; null if nothing. Null is not compared. */
    private static String results(List<Object> expected, List<Object> actual) {
        for (int index = 0; index < expected.size(); index++) {
            Map<String, Object> part = Json.asObject(expected.get(index));
            Map<String, Object> result = actual == null ? null : Json.asObject(actual.get(index));
            if (part == null) continue;
            for (Map.Entry<String, Object> member : part.entrySet()) {
                Object value = result == null ? null : result.get(member.getKey());
                if (matches(member.getValue(), value, member.getKey().equals("deeplink"))) continue;
                return "result " + index + ": " + member.getKey() + ": expected " + Json.write(member.getValue())
                        + ", was " + Json.write(value);
            }
        }
        return null;
    }

    /** @param isPart whether only the expected members of an object count */
    private static boolean matches(Object expected, Object actual, boolean isPart) {
        if (expected instanceof Number && actual instanceof Number) {
            return Math.abs(((Number) expected).doubleValue() - ((Number) actual).doubleValue()) <= 0.001;
        }
        if (expected instanceof Map && actual instanceof Map) {
            Map<String, Object> left = new TreeMap<>(Json.asObject(expected));
            Map<String, Object> right = new TreeMap<>(Json.asObject(actual));
            if (isPart) right.keySet().retainAll(left.keySet());
            if (!left.keySet().equals(right.keySet())) return false;
            for (String name : left.keySet()) if (!matches(left.get(name), right.get(name), false)) return false;
            return true;
        }
        if (expected instanceof List && actual instanceof List) {
            List<Object> left = Json.asArray(expected);
            List<Object> right = Json.asArray(actual);
            if (left.size() != right.size()) return false;
            for (int index = 0; index < left.size(); index++) {
                if (!matches(left.get(index), right.get(index), false)) return false;
            }
            return true;
        }
        return expected == null ? actual == null : expected.equals(actual);
    }
}
