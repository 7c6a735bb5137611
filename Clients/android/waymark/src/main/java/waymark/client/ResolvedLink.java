package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import waymark.client.json.Json;

/** The destination of a smart link, with its data. */
public final class ResolvedLink {
    private final String deeplink;
    private final String route;
    private final Map<String, String> routeParameters;
    private final Map<String, String> queryParameters;
    private final DeeplinkMetadata metadata;
    private final AppUpdate update;
    private final Redeem redeem;

    private ResolvedLink(Json json, Redeem redeem) {
        Map<String, Object> members = json.getMembers();
        this.redeem = redeem;
        deeplink = Json.asString(members.get("deeplink"));
        route = Json.asString(members.get("route"));
        routeParameters = parameters(members.get("routeParameters"));
        queryParameters = parameters(members.get("queryParameters"));
        Map<String, Object> values = Json.asObject(members.get("metadata"));
        String text = json.memberText("metadata");
        metadata = values == null || text == null ? null : new DeeplinkMetadata(text, values);
        update = AppUpdate.read(members.get("update"));
    }

    /** Null if the body is not the response of a resolve. */
    @Nullable
    public static ResolvedLink read(@NonNull byte[] body) {
        Json json = Json.readObject(body);
        Redeem redeem = json == null ? null : Redeem.read(json.getMembers().get("redeem"));
        return redeem == null ? null : new ResolvedLink(json, redeem);
    }

    private static Map<String, String> parameters(Object value) {
        Map<String, String> parameters = new LinkedHashMap<>();
        Map<String, Object> members = Json.asObject(value);
        if (members == null) return Collections.emptyMap();
        for (Map.Entry<String, Object> member : members.entrySet()) {
            Object parameter = member.getValue();
            if (parameter instanceof Double) {
                // A number that no double can hold is not a parameter.
                if (((Double) parameter).isInfinite()) continue;
                parameter = new BigDecimal(parameter.toString()).toPlainString();
            }
            if (parameter instanceof String || parameter instanceof Long || parameter instanceof Boolean) {
                parameters.put(member.getKey(), parameter.toString());
            }
        }
        return Collections.unmodifiableMap(parameters);
    }

    /** The URL of the app, or of a web page; null if the link has none for this platform. */
    @Nullable
    public String getDeeplink() {
        return deeplink;
    }

    /** The route's format; null if the link was created without one. */
    @Nullable
    public String getRoute() {
        return route;
    }

    @NonNull
    public Map<String, String> getRouteParameters() {
        return routeParameters;
    }

    @NonNull
    public Map<String, String> getQueryParameters() {
        return queryParameters;
    }

    /** Null if the link has none, its redeem limit is reached, or no redeem was to be taken. */
    @Nullable
    public DeeplinkMetadata getMetadata() {
        return metadata;
    }

    @NonNull
    public Redeem getRedeem() {
        return redeem;
    }

    /** Null if the app is new enough, or the client has no version of the app. */
    @Nullable
    public AppUpdate getUpdate() {
        return update;
    }

    /** Names for logs: values and metadata may be private. */
    @Override
    @NonNull
    public String toString() {
        return "ResolvedLink(route: " + route + ", routeParameters: " + routeParameters.keySet()
                + ", queryParameters: " + queryParameters.keySet() + ", hasDeeplink: " + (deeplink != null)
                + ", metadata: " + metadata + ", redeem: " + redeem + ", update: " + update + ")";
    }

    /** How often the metadata may be received, and was. */
    public static final class Redeem {
        private final Long limit;
        private final long used;
        private final Long remaining;
        private final String status;

        private Redeem(Map<String, Object> members) {
            limit = number(members.get("limit"));
            used = number(members.get("used"));
            remaining = number(members.get("remaining"));
            status = Json.asString(members.get("status"));
        }

        private static Long number(Object value) {
            return value instanceof Long ? (Long) value : null;
        }

        @Nullable
        static Redeem read(@Nullable Object value) {
            Map<String, Object> members = Json.asObject(value);
            return members == null || !(members.get("used") instanceof Long) ? null : new Redeem(members);
        }

        /** Null if there is no limit. */
        @Nullable
        public Long getLimit() {
            return limit;
        }

        public long getUsed() {
            return used;
        }

        /** Null if there is no limit. */
        @Nullable
        public Long getRemaining() {
            return remaining;
        }

        /** {@code redeemed}, {@code exhausted}, {@code unlimited}, {@code skipped} or {@code none}. */
        @Nullable
        public String getStatus() {
            return status;
        }

        @Override
        @NonNull
        public String toString() {
            return "Redeem(status: " + status + ", used: " + used + ", limit: " + limit + ")";
        }
    }
}
