package waymark.client.routing;

import androidx.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import waymark.client.ResolvedLink;
import waymark.client.WaymarkException;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.ServiceParameters;

/** Finds the target of a URL or of a service's answer. */
final class LinkRouting {
    /** In bytes of UTF-8. Links are shorter; longer texts are attempts to waste time. */
    private static final int LENGTH_LIMIT = 16_384;

    final LinkDestinations destinations;
    final RoutingDialect dialect;
    final RouteTable<AsyncDeeplinkTarget> routes;
    AsyncDeeplinkTarget defaultTarget;

    LinkRouting(LinkDestinations destinations, RoutingDialect dialect) {
        this.destinations = destinations;
        this.dialect = dialect;
        routes = new RouteTable<>(dialect);
    }

    static boolean isTooLong(String url) {
        return url.length() > LENGTH_LIMIT
                || url.length() > LENGTH_LIMIT / 3 && url.getBytes(StandardCharsets.UTF_8).length > LENGTH_LIMIT;
    }

    /** Whether the URL is one that this router opens. */
    boolean handles(String url) {
        return !isTooLong(url) && !destinations.isForeign(new DeepLinkUrl(url));
    }

    /**
     * @param source what is known of the link beyond its URL
     * @param link what the service has answered; null if it was not asked
     */
    RoutedDeeplink byUrl(DeepLinkUrl url, DeeplinkBuilder source, @Nullable ResolvedLink link) {
        DeepLinkUrl plain = ServiceParameters.of(url).getPlain();
        RouteTable.Match<AsyncDeeplinkTarget> match = routes.match(plain);
        DeeplinkBuilder content = content(url, plain, source, link);
        if (match != null) {
            content.route = match.format;
            content.routeParameters = match.parameters;
        }
        return new RoutedDeeplink(new Deeplink(content), match == null ? defaultTarget : match.target);
    }

    /** The answer's route decides where it is mapped and complete, else its URL. */
    RoutedDeeplink byAnswer(ResolvedLink link, DeeplinkBuilder source) {
        DeepLinkUrl url = destinations.of(link);
        String route = link.getRoute();
        AsyncDeeplinkTarget target = route == null ? null : routes.target(route);
        boolean isComplete = target != null
                && link.getRouteParameters().keySet().containsAll(new RouteFormat(route).variables());
        if (!isComplete) {
            RoutedDeeplink routed = byUrl(url, source, link);
            routed.deeplink.content.queryParameters.putAll(link.getQueryParameters());
            return routed;
        }
        DeeplinkBuilder content = content(url, ServiceParameters.of(url).getPlain(), source, link);
        content.queryParameters.putAll(link.getQueryParameters());
        content.route = route;
        content.routeParameters = new LinkedHashMap<>(link.getRouteParameters());
        return new RoutedDeeplink(new Deeplink(content), target, true);
    }

    /** A link that is opened again: a route with exactly its format, or the default route for one from a URL. */
    RoutedDeeplink again(Deeplink link) {
        AsyncDeeplinkTarget target = link.getRoute() != null ? routes.target(link.getRoute())
                : link.getOpenedUrl() != null ? defaultTarget : null;
        return new RoutedDeeplink(link, target);
    }

    /** A link without a route, click and smart link, which has its URL and the reason. */
    RoutedDeeplink failed(DeeplinkBuilder source, WaymarkException error) {
        DeepLinkUrl url = new DeepLinkUrl(source.originalUrl);
        DeeplinkBuilder content = content(url, ServiceParameters.of(url).getPlain(), source, null);
        content.error = error;
        content.isWithoutClick = true;
        return new RoutedDeeplink(new Deeplink(content), defaultTarget);
    }

    /** A smart link that the service does not know, as a link of the app; null if that is no mapped route. */
    @Nullable
    RoutedDeeplink unknown(DeeplinkBuilder source) {
        DeeplinkBuilder content = source.copy();
        content.isWithoutClick = true;
        RoutedDeeplink routed = byUrl(destinations.asAppLink(new DeepLinkUrl(source.originalUrl)), content, null);
        return routed.deeplink.getRoute() == null ? null : routed;
    }

    private DeeplinkBuilder content(DeepLinkUrl url, DeepLinkUrl plain, DeeplinkBuilder source, ResolvedLink link) {
        DeeplinkBuilder content = source.copy();
        content.queryParameters = dialect.queryParameters(plain);
        content.openedUrl = url;
        if (link != null) content.setAnswer(link);
        return content;
    }

    /** The formats that match the link's URL too and have lower priority, in their order. */
    List<String> otherRoutes(Deeplink deeplink) {
        List<String> formats = routes.matching(ServiceParameters.of(deeplink.content.openedUrl).getPlain());
        formats.remove(deeplink.getRoute());
        return formats;
    }
}
