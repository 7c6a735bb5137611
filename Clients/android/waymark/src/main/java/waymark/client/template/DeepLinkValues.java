package waymark.client.template;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Collections;
import java.util.Map;

/** The values that a template found in a URL. */
public final class DeepLinkValues {
    private final Map<String, Object> path;
    private final Map<String, Object> query;
    private final String fragment;

    DeepLinkValues(Map<String, Object> path, Map<String, Object> query, String fragment) {
        this.path = Collections.unmodifiableMap(path);
        this.query = Collections.unmodifiableMap(query);
        this.fragment = fragment;
    }

    /** The values of the path by name, of the classes that {@link ValueType} names. */
    @NonNull
    public Map<String, Object> getPath() {
        return path;
    }

    /** The values of the query by name; an optional parameter that is absent or of another type has none. */
    @NonNull
    public Map<String, Object> getQuery() {
        return query;
    }

    /** The text after {@code #} as written; null without one. */
    @Nullable
    public String getFragment() {
        return fragment;
    }
}
