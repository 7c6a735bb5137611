package waymark.client.routing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.PercentEncoding;
import waymark.client.url.PortableText;

/** How URLs are read: as RFC 3986 does, the default, or as HOKO's SDKs of 2015 did. */
public enum RoutingDialect {
    /**
     * Literals are case-sensitive, empty segments match a variable, {@code %2F} is part of a value; of equal query names
     * and of default routes the last wins; a link that no route matches becomes the current one.
     */
    STANDARD(true, false),
    /** HOKO's SDK for iOS: like {@code STANDARD}, but {@code %2F} separates segments. */
    IOS(true, true),
    /**
     * HOKO's SDK for Android: literals ignore case, empty segments do not count, {@code %2F} is part of a value; of equal
     * query names and of default routes the first wins; a link that no route matches is dropped.
     */
    ANDROID(false, false);

    /** All but HOKO's dialect for Android agree in the rest. */
    private final boolean isStrict;
    private final boolean escapedSlashSeparates;

    RoutingDialect(boolean isStrict, boolean escapedSlashSeparates) {
        this.isStrict = isStrict;
        this.escapedSlashSeparates = escapedSlashSeparates;
    }

    boolean keepsFirstDefaultRoute() {
        return !isStrict;
    }

    boolean keepsUnroutedDeeplink() {
        return isStrict;
    }

    /**
     * The decoded segments that are matched with routes: the host first, then the path. Null if the URL has no scheme,
     * or only slashes after it.
     */
    List<String> segments(DeepLinkUrl url) {
        if (url.getScheme() == null) return null;
        String path = (url.getHost() == null ? "" : url.getHost()) + url.getPath();
        int start = 0;
        while (start < path.length() && path.charAt(start) == '/') start++;
        int end = path.length() > start && path.endsWith("/") ? path.length() - 1 : path.length();
        if (start >= end) return null;
        List<String> segments = new ArrayList<>();
        for (String part : PortableText.split(path.substring(start, end), '/')) {
            String segment = PercentEncoding.decode(part, false);
            if (escapedSlashSeparates) {
                segments.addAll(PortableText.split(segment, '/'));
            } else if (isStrict || !segment.isEmpty()) {
                segments.add(segment);
            }
        }
        return segments.isEmpty() ? null : segments;
    }

    /** The query as decoded names and values; a null value is a name without one. */
    Map<String, String> queryParameters(DeepLinkUrl url) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (DeepLinkUrl.QueryItem item : url.getQueryItems()) {
            String name = PercentEncoding.decode(item.getName(), true);
            if (!isStrict && parameters.containsKey(name)) continue;
            String value = item.getValue() == null ? null : PercentEncoding.decode(item.getValue(), true);
            parameters.put(name, value == null && !isStrict ? "" : value);
        }
        return parameters;
    }

    /** The form in which segments and formats are compared. */
    String comparable(String text) {
        if (isStrict) return text;
        // Simple case mapping: the number of code points stays, and "ß" is not "ss".
        StringBuilder folded = new StringBuilder(text.length());
        for (int index = 0; index < text.length();) {
            int point = text.codePointAt(index);
            index += Character.charCount(point);
            folded.appendCodePoint(Character.toLowerCase(Character.toUpperCase(point)));
        }
        return folded.toString();
    }
}
