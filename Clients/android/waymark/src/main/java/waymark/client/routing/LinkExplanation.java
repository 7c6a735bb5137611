package waymark.client.routing;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import waymark.client.WaymarkException;

/** What a router would do with a URL, and why. */
public final class LinkExplanation {
    /** What would happen. */
    public enum Outcome {
        /** A route opens. */
        OPENS,
        /** The default route opens. */
        OPENS_DEFAULT,
        /** The service is asked first. */
        RESOLVES,
        /** No route matches, and there is no default route. */
        NOTHING,
        /** The URL does not belong to the app. */
        NOT_HANDLED
    }

    /** What decided. */
    public enum Why {
        /** The router does not handle the URL's scheme. */
        FOREIGN_SCHEME,
        /** The URL has more than 16,384 bytes. */
        TOO_LONG,
        /** A web link of the app's domains. */
        SMARTLINK,
        /** A web link of the app's domains that contains its destination. */
        LAZY_LINK,
        /** A web link of another host, read as a link of the app. */
        OTHER_HOST,
        /** A link of the app. */
        APP_LINK,
        /** The route in the service's answer. */
        ANSWER_ROUTE,
        /** The URL in the service's answer. */
        ANSWER_URL,
        /** The service does not know the link, which is read as a link of the app. */
        UNKNOWN_LINK,
        /** The service could not resolve the link. */
        FAILED
    }

    private final Outcome outcome;
    private final Why why;
    private final Deeplink deeplink;
    private final List<String> otherRoutes;
    private final WaymarkException error;
    private final String subject;

    LinkExplanation(Outcome outcome, Why why, @Nullable Deeplink deeplink, List<String> otherRoutes,
            @Nullable WaymarkException error, String subject) {
        this.outcome = outcome;
        this.why = why;
        this.deeplink = deeplink;
        this.otherRoutes = Collections.unmodifiableList(otherRoutes);
        this.error = error;
        this.subject = subject;
    }

    @NonNull
    public Outcome getOutcome() {
        return outcome;
    }

    @NonNull
    public Why getWhy() {
        return why;
    }

    /** The URL that routes are matched with; null if none is. */
    @Nullable
    public String getUrl() {
        return deeplink == null ? null : deeplink.getOpenedUrl();
    }

    /** The format of the route that opens; null otherwise. */
    @Nullable
    public String getRoute() {
        return deeplink == null ? null : deeplink.getRoute();
    }

    @NonNull
    public Map<String, String> getRouteParameters() {
        return deeplink == null ? Collections.<String, String>emptyMap() : deeplink.getRouteParameters();
    }

    /** Formats that match the URL too and have lower priority, in order of priority. */
    @NonNull
    public List<String> getOtherRoutes() {
        return otherRoutes;
    }

    /** Why the service could not resolve the link; null otherwise. */
    @Nullable
    public WaymarkException getError() {
        return error;
    }

    /** One line with what decided, for developers. */
    @Override
    @NonNull
    public String toString() {
        return what() + ", because " + reason()
                + (otherRoutes.isEmpty() ? "" : "; it precedes " + waymark.client.url.PortableText.join(", ", otherRoutes));
    }

    private String what() {
        switch (outcome) {
            case OPENS: return "opens the route " + getRoute();
            case OPENS_DEFAULT: return "opens the default route";
            case RESOLVES: return "asks the service";
            case NOTHING: return "opens nothing: no route matches and there is no default route";
            default: return "is not handled";
        }
    }

    private String reason() {
        switch (why) {
            case FOREIGN_SCHEME: return "its scheme is not one of the router's (" + subject + ")";
            case TOO_LONG: return "it has more than 16,384 bytes";
            case SMARTLINK: return "its host is one of the app's domains (" + subject + ")";
            case LAZY_LINK: return "it contains its destination";
            case OTHER_HOST: return "its host is not one of the app's domains (" + subject + ")";
            case APP_LINK: return "its scheme is the app's";
            case ANSWER_ROUTE: return "the service named this route";
            case ANSWER_URL: return "the service named this URL, and no mapped route with all parameters";
            case UNKNOWN_LINK: return "the service does not know the link, but its path is a route";
            default: return "the service could not resolve it (" + (error == null ? "" : error.getKind().getCode()) + ")";
        }
    }
}
