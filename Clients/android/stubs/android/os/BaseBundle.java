package android.os;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

public class BaseBundle {
    final Map<String, Object> values = new HashMap<>();

    BaseBundle() {}

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public boolean containsKey(String key) {
        return values.containsKey(key);
    }

    public Set<String> keySet() {
        return values.keySet();
    }

    public String getString(String key) {
        return (String) values.get(key);
    }

    public String getString(String key, String otherwise) {
        String value = getString(key);
        return value == null ? otherwise : value;
    }

    public void putString(String key, String value) {
        values.put(key, value);
    }
}
