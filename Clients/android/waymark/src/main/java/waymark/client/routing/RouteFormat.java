package waymark.client.routing;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import waymark.client.url.PercentEncoding;
import waymark.client.url.PortableText;

/**
 * The format of a route: {@code static/path/:variable}, without redundant slashes.
 *
 * <p>A segment that begins with {@code :} is a variable, any other is a literal. There are no wildcards, optional parts
 * or types. A format without segments is the default route.
 */
final class RouteFormat {
    final String text;

    RouteFormat(@NonNull String text) {
        this.text = sanitized(text);
    }

    /** Strips slashes at both ends and collapses runs of slashes, except that a run after a colon keeps two. */
    private static String sanitized(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && text.charAt(start) == '/') start++;
        while (end > start && text.charAt(end - 1) == '/') end--;
        StringBuilder result = new StringBuilder(end - start);
        for (int index = start; index < end; index++) {
            char unit = text.charAt(index);
            int length = result.length();
            if (unit == '/' && length > 0 && result.charAt(length - 1) == '/') {
                boolean isAfterColon = length > 1 && result.charAt(length - 2) == ':';
                if (!isAfterColon) continue;
            }
            result.append(unit);
        }
        return result.toString();
    }

    /** The segments as written; none for an empty format. */
    List<String> segments() {
        return text.isEmpty() ? Collections.<String>emptyList() : PortableText.split(text, '/');
    }

    static boolean isVariable(String segment) {
        return segment.startsWith(":");
    }

    /** The names of the variables, in order. */
    List<String> variables() {
        List<String> names = new ArrayList<>();
        for (String segment : segments()) if (isVariable(segment)) names.add(segment.substring(1));
        return names;
    }

    /** The path with its values, percent-encoded by segment; null if a value is missing. */
    @Nullable
    String filled(Map<String, String> values) {
        List<String> parts = new ArrayList<>();
        for (String segment : segments()) {
            if (!isVariable(segment)) {
                parts.add(segment);
                continue;
            }
            String value = values.get(segment.substring(1));
            if (value == null) return null;
            parts.add(PercentEncoding.encode(value));
        }
        return PortableText.join("/", parts);
    }
}
