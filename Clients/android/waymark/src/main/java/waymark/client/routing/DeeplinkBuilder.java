package waymark.client.routing;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import waymark.client.AppUpdate;
import waymark.client.DeeplinkMetadata;
import waymark.client.ResolvedLink;
import waymark.client.WaymarkException;
import waymark.client.internal.KeptLink;
import waymark.client.url.DeepLinkUrl;

/**
 * Makes a deep link, to create a smart link for it or to open it.
 *
 * <pre>{@code
 * Deeplink hat = new DeeplinkBuilder("products/:product_id").routeParameter("product_id", 42).redeemLimit(1).build();
 * }</pre>
 */
public final class DeeplinkBuilder {
    String route;
    Map<String, String> routeParameters = new LinkedHashMap<>();
    Map<String, String> queryParameters = new LinkedHashMap<>();
    final Map<String, String> urls = new LinkedHashMap<>();
    DeeplinkMetadata metadata;
    int redeemLimit;
    boolean isUnique;
    boolean isDeferred;
    DeepLinkUrl openedUrl;
    String originalUrl;
    String sourceApplication;
    String smartlink;
    String clickId;
    AppUpdate update;
    /** Why the link or its metadata could not be resolved; null for any other. */
    WaymarkException error;
    /** Whether it has what the service has answered. */
    boolean hasAnswer;
    /** Whether the click in its URL does not count, because the service did not confirm the link. */
    boolean isWithoutClick;
    /** Whether it may be a route of the app if the service does not know it: not what {@code openSmartlink} got. */
    boolean mayBeRoute = true;
    /** What is kept of it; null for a link made by the app. */
    KeptLink kept;

    /** A link without a route, which leads to its {@code urls} only. */
    public DeeplinkBuilder() {}

    /** @param route a format such as {@code products/:product_id}; redundant slashes are removed */
    public DeeplinkBuilder(@NonNull String route) {
        this.route = new RouteFormat(route).text;
    }

    /** @param value a string, a number or a boolean */
    @NonNull
    public DeeplinkBuilder routeParameter(@NonNull String name, @NonNull Object value) {
        routeParameters.put(name, value.toString());
        return this;
    }

    /** @param value a string, a number or a boolean */
    @NonNull
    public DeeplinkBuilder queryParameter(@NonNull String name, @NonNull Object value) {
        queryParameters.put(name, value.toString());
        return this;
    }

    /** A URL for one platform ({@code web}, {@code ios}, {@code android}, …); it wins over the route's template. */
    @NonNull
    public DeeplinkBuilder url(@NonNull String platform, @NonNull String url) {
        urls.put(platform, url);
        return this;
    }

    /** @see DeeplinkMetadata#of */
    @NonNull
    public DeeplinkBuilder metadata(@Nullable Map<String, ?> metadata) {
        this.metadata = metadata == null ? null : DeeplinkMetadata.of(metadata);
        return this;
    }

    /** How many resolves receive the metadata; 0 means any number. */
    @NonNull
    public DeeplinkBuilder redeemLimit(int limit) {
        redeemLimit = Math.max(0, limit);
        return this;
    }

    /** Whether an equal deep link gets the same smart link again. */
    @NonNull
    public DeeplinkBuilder unique(boolean unique) {
        isUnique = unique;
        return this;
    }

    /**
     * @throws MissingParametersException if a variable of the route has no value
     * @throws InvalidParametersException if one has the value {@code .} or {@code ..}
     */
    @NonNull
    public Deeplink build() {
        List<String> missing = new ArrayList<>();
        List<String> invalid = new ArrayList<>();
        if (route != null) {
            for (String name : new RouteFormat(route).variables()) {
                String value = routeParameters.get(name);
                if (value == null) missing.add(name);
                if (".".equals(value) || "..".equals(value)) invalid.add(name);
            }
        }
        if (!missing.isEmpty()) throw new MissingParametersException(missing);
        if (!invalid.isEmpty()) throw new InvalidParametersException(invalid);
        return new Deeplink(copy());
    }

    /** Names for logs: values and metadata may be private. */
    @Override
    @NonNull
    public String toString() {
        return "DeeplinkBuilder(route: " + route + ", routeParameters: " + routeParameters.keySet()
                + ", queryParameters: " + queryParameters.keySet() + ", metadata: " + metadata + ")";
    }

    void setAnswer(ResolvedLink link) {
        metadata = link.getMetadata();
        update = link.getUpdate();
        hasAnswer = true;
        error = null;
    }

    DeeplinkBuilder copy() {
        DeeplinkBuilder copy = new DeeplinkBuilder();
        copy.route = route;
        copy.routeParameters = new LinkedHashMap<>(routeParameters);
        copy.queryParameters = new LinkedHashMap<>(queryParameters);
        copy.urls.putAll(urls);
        copy.metadata = metadata;
        copy.redeemLimit = redeemLimit;
        copy.isUnique = isUnique;
        copy.isDeferred = isDeferred;
        copy.openedUrl = openedUrl;
        copy.originalUrl = originalUrl;
        copy.sourceApplication = sourceApplication;
        copy.smartlink = smartlink;
        copy.clickId = clickId;
        copy.update = update;
        copy.error = error;
        copy.hasAnswer = hasAnswer;
        copy.isWithoutClick = isWithoutClick;
        copy.mayBeRoute = mayBeRoute;
        copy.kept = kept;
        return copy;
    }
}
