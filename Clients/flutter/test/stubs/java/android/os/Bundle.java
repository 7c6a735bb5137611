package android.os;

import java.util.HashMap;
import java.util.Map;

public class Bundle {
    private final Map<String, String> values = new HashMap<>();

    public String getString(String name) {
        return values.get(name);
    }

    public void putString(String name, String value) {
        values.put(name, value);
    }
}
