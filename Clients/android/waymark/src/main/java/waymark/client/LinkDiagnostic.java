package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;

/** One step of a client or a router, for logs: no parameter, metadata or key, and of a URL the host alone. */
public final class LinkDiagnostic {
    private final String step;
    private final String host;
    private final String route;
    private final int status;
    private final WaymarkException.Kind error;

    public LinkDiagnostic(@NonNull String step, @Nullable String host, @Nullable String route, int status,
            @Nullable WaymarkException.Kind error) {
        this.step = step;
        this.host = host;
        this.route = route;
        this.status = status;
        this.error = error;
    }

    /** A step of section 14 of the specification, such as {@code heldBack} or {@code response}. */
    @NonNull
    public String getStep() {
        return step;
    }

    /** The host of a web link; null for others. */
    @Nullable
    public String getHost() {
        return host;
    }

    /** A format; null for none and for the default route. */
    @Nullable
    public String getRoute() {
        return route;
    }

    /** The HTTP status; 0 for none. */
    public int getStatus() {
        return status;
    }

    @Nullable
    public WaymarkException.Kind getError() {
        return error;
    }

    /** One line, such as {@code heldBack route=products/:product_id}. */
    @Override
    @NonNull
    public String toString() {
        return step + (host == null ? "" : " host=" + host) + (route == null ? "" : " route=" + route)
                + (status > 0 ? " status=" + status : "") + (error == null ? "" : " error=" + error.getCode());
    }
}
