package waymark.client.routing;

import androidx.annotation.NonNull;

/** Opens a route: shows its screen. Called on the main thread, after filters and handlers. */
public interface DeeplinkTarget {
    void open(@NonNull Deeplink deeplink);
}
