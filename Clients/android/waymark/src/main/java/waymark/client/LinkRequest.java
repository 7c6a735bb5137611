package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import waymark.client.json.Json;
import waymark.client.json.RawJson;

/**
 * The smart link to create. Setters return the request, so that calls can be chained.
 *
 * <pre>{@code
 * new LinkRequest("products/:product_id").routeParameter("product_id", 42).redeemLimit(1)
 * }</pre>
 *
 * The service checks the values and names all that are not valid.
 */
public final class LinkRequest {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /** A link that leads to {@code urls} only. */
    public LinkRequest() {}

    /** @param route the format of one of the application's templates, such as {@code products/:product_id} */
    public LinkRequest(@Nullable String route) {
        if (route != null) members.put("route", route);
    }

    /** The application's ID. Default: the client's. */
    @NonNull
    public LinkRequest app(@NonNull String app) {
        return set("app", app);
    }

    /** A value for a variable of the route: a string, a number or a boolean. */
    @NonNull
    public LinkRequest routeParameter(@NonNull String name, @NonNull Object value) {
        return setIn("routeParameters", name, text(value));
    }

    /** An item of the query: a string, a number or a boolean. */
    @NonNull
    public LinkRequest queryParameter(@NonNull String name, @NonNull Object value) {
        return setIn("queryParameters", name, text(value));
    }

    /** @param platform {@code web}, {@code ios}, {@code iphone}, {@code ipad}, {@code android}, … */
    @NonNull
    public LinkRequest url(@NonNull String platform, @NonNull String url) {
        return setIn("urls", platform, url);
    }

    /** @param fallback {@code store}, {@code web}, or a web page, if the app is not installed */
    @NonNull
    public LinkRequest url(@NonNull String platform, @NonNull String url, @NonNull String fallback) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("link", url);
        entry.put("fallback", fallback);
        return setIn("urls", platform, entry);
    }

    /** Private data for the app, at most 16 KiB. */
    @NonNull
    public LinkRequest metadata(@NonNull DeeplinkMetadata metadata) {
        return set("metadata", new RawJson(metadata.getJson()));
    }

    /** @see DeeplinkMetadata#of */
    @NonNull
    public LinkRequest metadata(@NonNull Map<String, ?> metadata) {
        return metadata(DeeplinkMetadata.of(metadata));
    }

    /** How many resolves receive the metadata; 0 means any number. */
    @NonNull
    public LinkRequest redeemLimit(int limit) {
        return limit > 0 ? set("redeemLimit", limit) : remove("redeemLimit");
    }

    /** Whether the same request again gives the same link again. */
    @NonNull
    public LinkRequest unique(boolean unique) {
        return unique ? set("unique", true) : remove("unique");
    }

    /** @param time RFC 3339 */
    @NonNull
    public LinkRequest expiresAt(@NonNull String time) {
        return set("expiresAt", time);
    }

    /** The card that a messenger shows for the link. */
    @NonNull
    public LinkRequest social(@Nullable String title, @Nullable String description, @Nullable String imageUrl) {
        Map<String, Object> social = new LinkedHashMap<>();
        if (title != null) social.put("title", title);
        if (description != null) social.put("description", description);
        if (imageUrl != null) social.put("imageURL", imageUrl);
        return set("social", social);
    }

    /** @param name {@code source}, {@code medium}, {@code name}, {@code term} or {@code content} */
    @NonNull
    public LinkRequest campaign(@NonNull String name, @NonNull String value) {
        return setIn("campaign", name, value);
    }

    @NonNull
    public LinkRequest tags(@NonNull Collection<String> tags) {
        return set("tags", new java.util.ArrayList<>(tags));
    }

    /**
     * Any other member of the API's link, such as {@code maxClicks}.
     *
     * @throws IllegalArgumentException if the value is not JSON
     */
    @NonNull
    public LinkRequest set(@NonNull String member, @Nullable Object value) {
        Json.write(value);
        // The caller's map stays as it is.
        Map<String, Object> map = Json.asObject(value);
        members.put(member, map == null ? value : new LinkedHashMap<>(map));
        return this;
    }

    private LinkRequest remove(String member) {
        members.remove(member);
        return this;
    }

    private LinkRequest setIn(String member, String name, Object value) {
        Map<String, Object> values = Json.asObject(members.get(member));
        if (values == null) {
            values = new TreeMap<>();
            members.put(member, values);
        }
        values.put(name, value);
        return this;
    }

    private static String text(Object value) {
        if (value instanceof String || value instanceof Number || value instanceof Boolean) return value.toString();
        throw new IllegalArgumentException("a parameter is not a string, a number or a boolean");
    }

    /** @param app the application if the request names none; may be null */
    @NonNull
    byte[] body(@Nullable String app) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (app != null) body.put("app", app);
        body.putAll(members);
        return Json.bytes(body);
    }

    /** The names only: values are private. */
    @Override
    @NonNull
    public String toString() {
        return "LinkRequest(" + members.keySet() + ")";
    }
}
