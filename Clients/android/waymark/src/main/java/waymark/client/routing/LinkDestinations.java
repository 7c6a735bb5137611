package waymark.client.routing;

import androidx.annotation.Nullable;
import java.util.List;
import waymark.client.ResolvedLink;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.LinkHosts;

/** Which URL of the app a link leads to. */
final class LinkDestinations {
    private final LinkHosts hosts;
    private final String scheme;
    private final List<String> schemes;

    /** @param schemes the app's schemes; web links open under the first one, or under {@code app} */
    LinkDestinations(Iterable<String> domains, List<String> schemes) {
        hosts = new LinkHosts(domains);
        this.schemes = schemes;
        scheme = schemes.isEmpty() ? "app" : schemes.get(0);
    }

    /** Null if the URL is a smart link, whose destination the service knows. */
    @Nullable
    DeepLinkUrl of(DeepLinkUrl url) {
        DeepLinkUrl destination = url;
        if (hosts.contains(url)) {
            destination = url.getLazyDestination();
            if (destination == null) return null;
            // A lazy link may hold a bare route.
            if (destination.getScheme() == null) return destination.asAppLink(scheme);
            // Any page can make one: "javascript:" must not reach a target as a link of the app.
            if (!destination.isWeb() && !isOurs(destination)) return null;
        }
        boolean hasHost = destination.getHost() != null && !destination.getHost().isEmpty();
        return destination.isWeb() && hasHost ? destination.asAppLink(scheme) : destination;
    }

    boolean isSmartlinkHost(DeepLinkUrl url) {
        return hosts.contains(url);
    }

    /** Whether the URL has a scheme that the app does not have, so that it belongs to somebody else. */
    boolean isForeign(DeepLinkUrl url) {
        return !schemes.isEmpty() && url.getScheme() != null && !url.isWeb() && !isOurs(url);
    }

    DeepLinkUrl asAppLink(DeepLinkUrl url) {
        return url.asAppLink(scheme);
    }

    private boolean isOurs(DeepLinkUrl url) {
        for (String each : schemes) if (each.equalsIgnoreCase(url.getScheme())) return true;
        return false;
    }

    /** A web page becomes a link of the app; without a URL for this platform it is the route with its parameters. */
    DeepLinkUrl of(ResolvedLink link) {
        if (link.getDeeplink() != null) {
            DeepLinkUrl url = new DeepLinkUrl(link.getDeeplink());
            return url.isWeb() ? url.asAppLink(scheme) : url;
        }
        String path = link.getRoute() == null
                ? null : new RouteFormat(link.getRoute()).filled(link.getRouteParameters());
        String query = Deeplink.query(link.getQueryParameters());
        return DeepLinkUrl.of(
                scheme, "", "/" + (path == null ? "" : path), query.isEmpty() ? null : query, null);
    }
}
