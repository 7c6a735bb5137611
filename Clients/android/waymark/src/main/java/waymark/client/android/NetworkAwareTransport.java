package waymark.client.android;

import android.content.Context;
import android.net.ConnectivityManager;
import android.net.NetworkInfo;
import androidx.annotation.NonNull;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import waymark.client.WaymarkException;
import waymark.client.transport.HttpTransport;
import waymark.client.transport.TransportRequest;
import waymark.client.transport.TransportResponse;

/**
 * Throws {@code OFFLINE} if a request could not be sent because the device has no network, so that it is not repeated.
 * A connection that breaks later, such as between two networks, stays {@code UNREACHABLE}.
 */
public final class NetworkAwareTransport implements HttpTransport {
    private final Context context;
    private final HttpTransport transport;

    public NetworkAwareTransport(@NonNull Context context, @NonNull HttpTransport transport) {
        this.context = context.getApplicationContext();
        this.transport = transport;
    }

    @Override
    @NonNull
    public TransportResponse send(@NonNull TransportRequest request) throws WaymarkException {
        if (MainThreadExecutor.isCurrent()) {
            throw new IllegalStateException("a call that blocks must not be made on the main thread");
        }
        try {
            return transport.send(request);
        } catch (WaymarkException error) {
            // Asked only after a failure: a network that the system does not know of, such as adb's, may work.
            if (!hasSentNothing(error.getCause()) || isConnected()) throw error;
            throw WaymarkException.of(WaymarkException.Kind.OFFLINE, "there is no network", error);
        }
    }

    /** Whether there was no connection yet. */
    private static boolean hasSentNothing(Throwable cause) {
        return cause instanceof UnknownHostException || cause instanceof ConnectException
                || cause instanceof NoRouteToHostException;
    }

    /** True also if the app may not ask. */
    @SuppressWarnings("deprecation")
    private boolean isConnected() {
        try {
            Object service = context.getSystemService(Context.CONNECTIVITY_SERVICE);
            if (!(service instanceof ConnectivityManager)) return true;
            NetworkInfo network = ((ConnectivityManager) service).getActiveNetworkInfo();
            return network != null && network.isConnected();
        } catch (SecurityException error) {
            return true;
        }
    }
}
