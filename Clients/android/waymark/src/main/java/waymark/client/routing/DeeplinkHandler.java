package waymark.client.routing;

import androidx.annotation.NonNull;

/** Receives every link that passed the filters, before its target runs, for example for analytics. Called on the
main thread. */
public interface DeeplinkHandler {
    void handle(@NonNull Deeplink deeplink);
}
