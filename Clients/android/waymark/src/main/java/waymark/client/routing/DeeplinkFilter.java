package waymark.client.routing;

import androidx.annotation.NonNull;

/** Decides whether a link may open now, for example because the person has signed in. Called on the main thread. */
public interface DeeplinkFilter {
    boolean filter(@NonNull Deeplink deeplink);
}
