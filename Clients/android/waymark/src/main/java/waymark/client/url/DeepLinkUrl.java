package waymark.client.url;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A URL as its text, split at the delimiters of RFC 3986 (appendix B) and nowhere else.
 *
 * <p>Any text is a URL. Nothing is decoded, lowercased or normalised, so the parts put together are the text. Parsing
 * is linear in the length. Values are immutable.
 */
public final class DeepLinkUrl {
    private final String text;
    private final String scheme;
    private final String authority;
    private final String path;
    private final String query;
    private final String fragment;

    public DeepLinkUrl(@NonNull String text) {
        this.text = text;
        String rest = text;
        int hash = rest.indexOf('#');
        fragment = hash < 0 ? null : rest.substring(hash + 1);
        if (hash >= 0) rest = rest.substring(0, hash);
        int mark = rest.indexOf('?');
        query = mark < 0 ? null : rest.substring(mark + 1);
        if (mark >= 0) rest = rest.substring(0, mark);
        int colon = rest.indexOf(':');
        int slash = rest.indexOf('/');
        boolean hasScheme = colon > 0 && (slash < 0 || colon < slash);
        scheme = hasScheme ? rest.substring(0, colon) : null;
        if (hasScheme) rest = rest.substring(colon + 1);
        if (rest.startsWith("//")) {
            int end = rest.indexOf('/', 2);
            authority = end < 0 ? rest.substring(2) : rest.substring(2, end);
            rest = end < 0 ? "" : rest.substring(end);
        } else {
            authority = null;
        }
        path = rest;
    }

    /** Joins parts (RFC 3986, section 5.3). The text is split again, so the parts may differ. */
    @NonNull
    public static DeepLinkUrl of(@Nullable String scheme, @Nullable String authority, @NonNull String path,
            @Nullable String query, @Nullable String fragment) {
        StringBuilder text = new StringBuilder();
        if (scheme != null) text.append(scheme).append(':');
        if (authority != null) text.append("//").append(authority);
        text.append(path);
        if (query != null) text.append('?').append(query);
        if (fragment != null) text.append('#').append(fragment);
        return new DeepLinkUrl(text.toString());
    }

    /** The original text. */
    @NonNull
    public String getText() {
        return text;
    }

    /**
     * The text before the first {@code :}, as written; null if it is empty or a {@code /}, {@code ?} or {@code #}
     * precedes it.
     */
    @Nullable
    public String getScheme() {
        return scheme;
    }

    /** User, host and port as written; null without {@code //}. */
    @Nullable
    public String getAuthority() {
        return authority;
    }

    /** The path with its slashes; empty if there is none. */
    @NonNull
    public String getPath() {
        return path;
    }

    /** The text between the first {@code ?} and the fragment; null without a {@code ?}. */
    @Nullable
    public String getQuery() {
        return query;
    }

    /** The text after the first {@code #}; null without one. */
    @Nullable
    public String getFragment() {
        return fragment;
    }

    /** The authority without user, port and the brackets of an IPv6 address; null without an authority. */
    @Nullable
    public String getHost() {
        if (authority == null) return null;
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        int colon = host.lastIndexOf(':');
        if (colon >= 0 && isPort(host.substring(colon + 1))) host = host.substring(0, colon);
        boolean isAddress = host.startsWith("[") && host.endsWith("]") && host.indexOf(':') >= 0;
        return isAddress ? host.substring(1, host.length() - 1) : host;
    }

    private static boolean isPort(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (text.charAt(index) < '0' || text.charAt(index) > '9') return false;
        }
        return true;
    }

    /** The parts of the path between slashes, as written, without the leading slash: {@code /a//b/} has four. */
    @NonNull
    public List<String> getSegments() {
        if (path.isEmpty()) return Collections.emptyList();
        return PortableText.split(path.startsWith("/") ? path.substring(1) : path, '/');
    }

    /** The items of the query between {@code &}, as written; none if the query is empty. */
    @NonNull
    public List<QueryItem> getQueryItems() {
        if (query == null || query.isEmpty()) return Collections.emptyList();
        List<QueryItem> items = new ArrayList<>();
        for (String item : PortableText.split(query, '&')) items.add(new QueryItem(item));
        return items;
    }

    /** Whether the scheme is {@code http} or {@code https}, ignoring case. */
    public boolean isWeb() {
        if (scheme == null) return false;
        String lower = PortableText.lowercase(scheme);
        return lower.equals("https") || lower.equals("http");
    }

    /**
     * A web link as a URL of the app: {@code https://www.example.com/products/42?x=1} is {@code
     * shop://products/42?x=1}.
     *
     * <p>User, host and port are dropped, and so are leading slashes and, without query and fragment, one slash at the
     * end. Characters that would make the first segment more than a host are escaped.
     */
    @NonNull
    public DeepLinkUrl asAppLink(@NonNull String scheme) {
        int start = 0;
        while (start < path.length() && path.charAt(start) == '/') start++;
        String rest = path.substring(start);
        if (query == null && fragment == null && rest.endsWith("/")) rest = rest.substring(0, rest.length() - 1);
        int end = rest.indexOf('/');
        if (end < 0) end = rest.length();
        StringBuilder first = new StringBuilder();
        for (int index = 0; index < end; index++) {
            char unit = rest.charAt(index);
            if (unit == '@' || unit == ':' || unit == '[' || unit == ']') {
                first.append(PercentEncoding.encode(String.valueOf(unit)));
            } else {
                first.append(unit);
            }
        }
        return of(scheme, "", first + rest.substring(end), query, fragment);
    }

    /**
     * The decoded destination of a lazy link ({@code /lazy?uri=…}); null for any other URL. The last {@code uri}
     * wins.
     */
    @Nullable
    public DeepLinkUrl getLazyDestination() {
        List<String> segments = getSegments();
        if (segments.size() != 1 || !segments.get(0).equals("lazy")) return null;
        String destination = "";
        for (QueryItem item : getQueryItems()) {
            if (!item.getName().equals("uri")) continue;
            destination = item.getValue() == null ? "" : PercentEncoding.decode(item.getValue(), true);
        }
        return destination.isEmpty() ? null : new DeepLinkUrl(destination);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeepLinkUrl && ((DeepLinkUrl) other).text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    @NonNull
    public String toString() {
        return text;
    }

    /** One item of a query, as written. */
    public static final class QueryItem {
        private final String name;
        private final String value;

        QueryItem(String item) {
            int equals = item.indexOf('=');
            name = equals < 0 ? item : item.substring(0, equals);
            value = equals < 0 ? null : item.substring(equals + 1);
        }

        /** The text before the first {@code =}, or the whole item. May be empty. */
        @NonNull
        public String getName() {
            return name;
        }

        /** The text after the first {@code =}; null without one. */
        @Nullable
        public String getValue() {
            return value;
        }
    }
}
