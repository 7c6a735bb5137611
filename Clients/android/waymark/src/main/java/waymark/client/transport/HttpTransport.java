package waymark.client.transport;

import androidx.annotation.NonNull;
import waymark.client.WaymarkException;

/**
 * Sends one request to the service and returns the response. Apps with a network stack of their own implement it.
 *
 * <p>An implementation follows no redirects (the key must not reach another address), fails with
 * {@link WaymarkException.Kind#TIMED_OUT} when the time limit of the whole exchange has passed and with
 * {@link WaymarkException.Kind#ANSWER_TOO_LARGE} as soon as the body exceeds its limit, stops when its thread is
 * interrupted, and sends once: the client retries. It is called from any thread, concurrently.
 */
public interface HttpTransport {
    /**
     * Blocks until the response is complete, whatever its status.
     *
     * @throws WaymarkException of the kinds from {@code OFFLINE} to {@code CANCELLED}
     */
    @NonNull
    TransportResponse send(@NonNull TransportRequest request) throws WaymarkException;
}
