package waymark.client.routing;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import waymark.client.WaymarkException;

/** The outcome of opening a link. */
public final class OpenResult {
    /** The outcomes. */
    public enum Outcome {
        /** A route matched, and its target has run. */
        OPENED,
        /** No route matched, a filter held the link back, or another link was opened before the service answered. */
        NOT_OPENED,
        /** The link could not be resolved: {@code CANCELLED} if a later one was opened before the response. */
        FAILED,
        /** The URL does not belong to the app: it has another scheme, or is too long. Nothing happened. */
        NOT_HANDLED
    }

    private final Outcome outcome;
    private final Deeplink deeplink;
    private final WaymarkException error;

    private OpenResult(Outcome outcome, Deeplink deeplink, WaymarkException error) {
        this.outcome = outcome;
        this.deeplink = deeplink;
        this.error = error;
    }

    static OpenResult opened(Deeplink deeplink) {
        return new OpenResult(Outcome.OPENED, deeplink, null);
    }

    static OpenResult notOpened(Deeplink deeplink) {
        return new OpenResult(Outcome.NOT_OPENED, deeplink, null);
    }

    static OpenResult failed(WaymarkException error, Deeplink deeplink) {
        return new OpenResult(Outcome.FAILED, deeplink, error);
    }

    static OpenResult notHandled() {
        return new OpenResult(Outcome.NOT_HANDLED, null, null);
    }

    @NonNull
    public Outcome getOutcome() {
        return outcome;
    }

    public boolean isOpened() {
        return outcome == Outcome.OPENED;
    }

    /** The deep link, with its metadata or its error; null without one, as for a URL that is not handled. */
    @Nullable
    public Deeplink getDeeplink() {
        return deeplink;
    }

    /** Why the link could not be resolved; null otherwise. */
    @Nullable
    public WaymarkException getError() {
        return error;
    }

    /** Without values; the error has its kind and status only. */
    @Override
    @NonNull
    public String toString() {
        return "OpenResult(" + outcome + ", deeplink: " + deeplink + ", error: "
                + (error == null ? null : error.getKind() + (error.getStatus() > 0 ? " " + error.getStatus() : ""))
                + ")";
    }
}
