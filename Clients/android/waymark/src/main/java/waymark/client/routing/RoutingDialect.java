package waymark.client.routing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.PercentEncoding;
import waymark.client.url.PortableText;

/** How URLs are read: as by HOKO's SDK for iOS, the default of every client, or as by its SDK for Android. */
public enum RoutingDialect {
    /**
     * Literals are case-sensitive, empty segments match a variable, {@code %2F} separates segments; of equal query
     * names and of default routes the last wins; a link that no route matches becomes the current one.
     */
    IOS(true),
    /**
     * Literals ignore case, empty segments do not count, {@code %2F} is part of a value; of equal query names and of
     * default routes the first wins; a link that no route matches is dropped.
     */
    ANDROID(false);

    private final boolean isIos;

    RoutingDialect(boolean isIos) {
        this.isIos = isIos;
    }

    boolean keepsFirstDefaultRoute() {
        return !isIos;
    }

    boolean keepsUnroutedDeeplink() {
        return isIos;
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
            if (isIos) {
                segments.addAll(PortableText.split(segment, '/'));
            } else if (!segment.isEmpty()) {
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
            if (!isIos && parameters.containsKey(name)) continue;
            String value = item.getValue() == null ? null : PercentEncoding.decode(item.getValue(), true);
            parameters.put(name, value == null && !isIos ? "" : value);
        }
        return parameters;
    }

    /** The form in which segments and formats are compared. */
    String comparable(String text) {
        if (isIos) return text;
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
