package waymark.client.routing;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import waymark.client.AppUpdate;
import waymark.client.DeeplinkMetadata;
import waymark.client.LinkRequest;
import waymark.client.WaymarkException;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.PercentEncoding;
import waymark.client.url.PortableText;
import waymark.client.url.ServiceParameters;

/**
 * A destination in the app: a route with its parameters. It was read from a URL that the app was opened with, or made
 * by the app ({@link DeeplinkBuilder}) to create a smart link.
 *
 * <p>Everything but {@link #wasOpened()} is fixed. Values come from outside: any app and any web page can open a
 * link with any of them. It may be used from any thread.
 */
public final class Deeplink {
    final DeeplinkBuilder content;
    private final ServiceParameters service;
    private final AtomicBoolean isRecorded = new AtomicBoolean();
    private volatile boolean wasOpened;

    Deeplink(DeeplinkBuilder content) {
        this.content = content;
        service = content.openedUrl == null ? null : ServiceParameters.of(content.openedUrl);
    }

    /** The route's format as it was mapped ({@code products/:product_id}); null if no route matches. */
    @Nullable
    public String getRoute() {
        return content.route;
    }

    /** The decoded values of the route's variables. */
    @NonNull
    public Map<String, String> getRouteParameters() {
        return Collections.unmodifiableMap(content.routeParameters);
    }

    /** The decoded query without the service's own items; a null value is a name without one ({@code ?flag}). */
    @NonNull
    public Map<String, String> getQueryParameters() {
        return Collections.unmodifiableMap(content.queryParameters);
    }

    /**
     * The smart link's data for the app only; null if it has none, its redeem limit is reached, or it was not fetched.
     */
    @Nullable
    public DeeplinkMetadata getMetadata() {
        return content.metadata;
    }

    /** Whether the link was opened before the app was installed. */
    public boolean isDeferred() {
        return content.isDeferred;
    }

    /**
     * The URL as the app was opened with it, such as the web page that was tapped; null for a deferred link or one made
     * by the app.
     */
    @Nullable
    public String getOriginalUrl() {
        return content.originalUrl;
    }

    /**
     * The app's URL that was routed: for a smart link its destination, for a web link the same under the app's scheme,
     * for one that could not be resolved the smart link itself; null for a link made by the app.
     */
    @Nullable
    public String getOpenedUrl() {
        return content.openedUrl == null ? null : content.openedUrl.getText();
    }

    /**
     * Why the link could not be resolved; null for any other. {@link #getOriginalUrl()} has its URL, for the web page or
     * another try with {@code openCurrentDeeplink}. A link with a route or a click ID has only no metadata.
     */
    @Nullable
    public WaymarkException getError() {
        return content.error;
    }

    /** The app that opened the URL, as reported; any app can forge it. */
    @Nullable
    public String getSourceApplication() {
        return content.sourceApplication;
    }

    /** The smart link that was resolved in the app; null if the app was opened with a URL of its own. */
    @Nullable
    public String getSmartlink() {
        return content.smartlink;
    }

    /** Set if the link requires a newer app: show it, and hold the link back in a filter. */
    @Nullable
    public AppUpdate getUpdate() {
        return content.update;
    }

    /** The click that led to this link; null if there was none. */
    @Nullable
    public String getClickId() {
        if (content.isWithoutClick) return null;
        String click = service == null ? null : service.getClickId();
        return click == null ? content.clickId : click;
    }

    /** Whether the link has metadata that was not fetched. */
    public boolean needsMetadata() {
        return service != null && service.needsMetadata() && content.metadata == null && !content.isWithoutClick;
    }

    /** Whether all filters passed and the target has run; false in handlers and in the target. */
    public boolean wasOpened() {
        return wasOpened;
    }

    void setWasOpened() {
        wasOpened = true;
    }

    /** Whether its destination is not known. */
    boolean isUnresolved() {
        return content.error != null && content.isWithoutClick;
    }

    /** Whether asking for it again is of no use: it takes the place of no kept link. */
    boolean isRefused() {
        return isUnresolved() && !content.error.isTransient();
    }

    /** Whether its metadata could not be fetched. */
    boolean lacksMetadata() {
        return content.error != null && needsMetadata() && getClickId() != null;
    }

    boolean isFromSmartlink() {
        if (content.isWithoutClick) return false;
        return getClickId() != null || content.smartlink != null
                || service != null && service.getSmartlinkId() != null;
    }

    /** True for the first caller only, which records the opening. */
    boolean takeRecording() {
        return isRecorded.compareAndSet(false, true);
    }

    /**
     * Route and query without a scheme: {@code products/42?referrer=ana}, the query sorted by name; null without a
     * route.
     */
    @Nullable
    public String getUrl() {
        String path = content.route == null ? null : new RouteFormat(content.route).filled(content.routeParameters);
        if (path == null) return null;
        String query = query(content.queryParameters);
        return query.isEmpty() ? path : path + "?" + query;
    }

    static String query(Map<String, String> parameters) {
        TreeMap<String, String> sorted = new TreeMap<>(PortableText::compareBytes);
        sorted.putAll(parameters);
        List<String> items = new ArrayList<>();
        for (Map.Entry<String, String> item : sorted.entrySet()) {
            String value = item.getValue() == null ? "" : "=" + PercentEncoding.encode(item.getValue());
            items.add(PercentEncoding.encode(item.getKey()) + value);
        }
        return PortableText.join("&", items);
    }

    /** The request that creates its smart link. Only the route's own parameters are sent. */
    @NonNull
    public LinkRequest toLinkRequest() {
        LinkRequest request = new LinkRequest(content.route);
        if (content.route != null) {
            for (String name : new RouteFormat(content.route).variables()) {
                String value = content.routeParameters.get(name);
                if (value != null) request.routeParameter(name, value);
            }
        }
        for (Map.Entry<String, String> item : content.queryParameters.entrySet()) {
            request.queryParameter(item.getKey(), item.getValue() == null ? "" : item.getValue());
        }
        for (Map.Entry<String, String> url : content.urls.entrySet()) request.url(url.getKey(), url.getValue());
        if (content.metadata != null) request.metadata(content.metadata);
        return request.redeemLimit(content.redeemLimit).unique(content.isUnique);
    }

    /** Names for logs: values and metadata may be private. */
    @Override
    @NonNull
    public String toString() {
        return "Deeplink(route: " + content.route + ", routeParameters: " + content.routeParameters.keySet()
                + ", queryParameters: " + content.queryParameters.keySet() + ", hasMetadata: "
                + (content.metadata != null) + ", wasOpened: " + wasOpened
                + (content.error == null ? "" : ", error: " + content.error.getKind()) + ")";
    }
}
