package waymark.client.template;

import androidx.annotation.NonNull;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import waymark.client.url.PortableText;

/** How strictly templates are matched with URLs. */
public final class MatchingOptions {
    /** A template without parameters matches no URL with a query, and the host of a web link is the first part. */
    public static final MatchingOptions STRICT = new MatchingOptions(false, true, null);
    /** For App Links: a query that is not declared is ignored, and so is the host of a web link. */
    public static final MatchingOptions APP_LINKS = new MatchingOptions(true, false, null);

    private final boolean toleratesUndeclaredQuery;
    private final boolean isHostFirstPart;
    private final Set<String> hosts;

    private MatchingOptions(boolean toleratesUndeclaredQuery, boolean isHostFirstPart, Set<String> hosts) {
        this.toleratesUndeclaredQuery = toleratesUndeclaredQuery;
        this.isHostFirstPart = isHostFirstPart;
        this.hosts = hosts;
    }

    /** Whether a template without parameters also matches a URL with a query. */
    @NonNull
    public MatchingOptions withUndeclaredQuery(boolean isTolerated) {
        return new MatchingOptions(isTolerated, isHostFirstPart, hosts);
    }

    /** The host of a web link does not count. */
    @NonNull
    public MatchingOptions withAnyHost() {
        return new MatchingOptions(toleratesUndeclaredQuery, false, null);
    }

    /** The host of a web link does not count, but must be one of these, ignoring case. */
    @NonNull
    public MatchingOptions withHosts(@NonNull Collection<String> hosts) {
        Set<String> lower = new HashSet<>();
        for (String host : hosts) lower.add(PortableText.lowercase(host));
        return new MatchingOptions(toleratesUndeclaredQuery, false, lower);
    }

    boolean toleratesUndeclaredQuery() {
        return toleratesUndeclaredQuery;
    }

    boolean isHostFirstPart() {
        return isHostFirstPart;
    }

    boolean allows(String host) {
        return hosts == null || hosts.contains(PortableText.lowercase(host));
    }
}
