package waymark.client.template;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.PercentEncoding;
import waymark.client.url.ServiceParameters;

/**
 * The URLs of a deep link: constant terms and typed values of the path, in order, and typed parameters of the query, in
 * any order. Templates are values: each call returns a new one with the part appended.
 *
 * <pre>{@code
 * DeepLinkTemplate photo = new DeepLinkTemplate().term("show").term("photo").requiredParameter("name",
 * ValueType.STRING); DeepLinkValues values = photo.values("shop://show/photo?name=cat", MatchingOptions.STRICT);
 * }</pre>
 */
public final class DeepLinkTemplate {
    private static final class PathPart {
        /** Null for a term. */
        final ValueType type;
        /** The term, or the value's name. */
        final String text;

        PathPart(ValueType type, String text) {
            this.type = type;
            this.text = text;
        }
    }

    private static final class Parameter {
        final ValueType type;
        final boolean isRequired;

        Parameter(ValueType type, boolean isRequired) {
            this.type = type;
            this.isRequired = isRequired;
        }
    }

    private final List<PathPart> parts;
    private final Map<String, Parameter> parameters;

    /** A template without parts, which matches a URL without host, path and query. */
    public DeepLinkTemplate() {
        this(Collections.<PathPart>emptyList(), Collections.<String, Parameter>emptyMap());
    }

    private DeepLinkTemplate(List<PathPart> parts, Map<String, Parameter> parameters) {
        this.parts = parts;
        this.parameters = parameters;
    }

    /** Appends a part of the path that must be this text. */
    @NonNull
    public DeepLinkTemplate term(@NonNull String symbol) {
        return appending(new PathPart(null, symbol));
    }

    /** Appends a part of the path that must be a value of this type. */
    @NonNull
    public DeepLinkTemplate value(@NonNull String name, @NonNull ValueType type) {
        return appending(new PathPart(type, name));
    }

    /** Adds a parameter without which a URL does not match. Of two with one name the first counts. */
    @NonNull
    public DeepLinkTemplate requiredParameter(@NonNull String name, @NonNull ValueType type) {
        return adding(name, new Parameter(type, true));
    }

    /** Adds a parameter that may be absent. Of two with one name the first counts. */
    @NonNull
    public DeepLinkTemplate optionalParameter(@NonNull String name, @NonNull ValueType type) {
        return adding(name, new Parameter(type, false));
    }

    private DeepLinkTemplate appending(PathPart part) {
        List<PathPart> copy = new ArrayList<>(parts);
        copy.add(part);
        return new DeepLinkTemplate(copy, parameters);
    }

    private DeepLinkTemplate adding(String name, Parameter parameter) {
        Map<String, Parameter> copy = new LinkedHashMap<>(parameters);
        if (!copy.containsKey(name)) copy.put(name, parameter);
        return new DeepLinkTemplate(parts, copy);
    }

    /**
     * The values of a URL; null if it does not match.
     *
     * <p>The parts are the host and the path's segments without empty ones, each decoded once; their number must equal
     * the template's. In the query only pairs with exactly one {@code =} count, and the last wins. The service's
     * parameters are removed first.
     */
    @Nullable
    public DeepLinkValues values(@NonNull String url, @NonNull MatchingOptions options) {
        DeepLinkUrl plain = ServiceParameters.of(new DeepLinkUrl(url)).getPlain();
        Map<String, Object> path = pathValues(plain, options);
        Map<String, Object> query = path == null ? null : queryValues(plain, options);
        return query == null ? null : new DeepLinkValues(path, query, plain.getFragment());
    }

    /** The position of the first template that matches the URL; -1 if none does. */
    public static int firstMatch(@NonNull List<DeepLinkTemplate> templates, @NonNull String url,
            @NonNull MatchingOptions options) {
        for (int index = 0; index < templates.size(); index++) {
            if (templates.get(index).values(url, options) != null) return index;
        }
        return -1;
    }

    private Map<String, Object> pathValues(DeepLinkUrl url, MatchingOptions options) {
        List<String> texts = new ArrayList<>();
        String host = url.getHost() == null ? "" : url.getHost();
        if (url.isWeb() && !options.isHostFirstPart()) {
            if (!options.allows(host)) return null;
        } else if (!host.isEmpty()) {
            texts.add(host);
        }
        for (String segment : url.getSegments()) if (!segment.isEmpty()) texts.add(segment);
        if (texts.size() != parts.size()) return null;
        Map<String, Object> values = new LinkedHashMap<>();
        for (int index = 0; index < texts.size(); index++) {
            PathPart part = parts.get(index);
            String text = PercentEncoding.decode(texts.get(index), false);
            if (part.type == null) {
                if (!text.equals(part.text)) return null;
                continue;
            }
            Object value = part.type.read(text);
            if (value == null) return null;
            values.put(part.text, value);
        }
        return values;
    }

    private Map<String, Object> queryValues(DeepLinkUrl url, MatchingOptions options) {
        Map<String, Object> values = new LinkedHashMap<>();
        if (parameters.isEmpty()) {
            return url.getQuery() == null || options.toleratesUndeclaredQuery() ? values : null;
        }
        Map<String, String> texts = new HashMap<>();
        for (DeepLinkUrl.QueryItem item : url.getQueryItems()) {
            String value = item.getValue();
            if (value != null && value.indexOf('=') < 0) texts.put(item.getName(), value);
        }
        for (Map.Entry<String, Parameter> entry : parameters.entrySet()) {
            Parameter parameter = entry.getValue();
            String text = texts.get(entry.getKey());
            if (text != null && parameter.type == ValueType.STRING) text = PercentEncoding.decode(text, false);
            Object value = text == null ? null : parameter.type.read(text);
            if (value != null) {
                values.put(entry.getKey(), value);
            } else if (parameter.isRequired) {
                return null;
            }
        }
        return values;
    }
}
