package waymark.flutter;

import android.content.Context;
import android.net.ConnectivityManager;
import android.net.Network;
import android.os.Handler;
import android.os.Looper;
import androidx.annotation.NonNull;
import io.flutter.plugin.common.EventChannel;

/** An event whenever the device has a network. */
final class NetworkStream extends ConnectivityManager.NetworkCallback implements EventChannel.StreamHandler {
    private final ConnectivityManager manager;
    private final Handler main = new Handler(Looper.getMainLooper());
    private EventChannel.EventSink events;

    NetworkStream(Context context) {
        manager = (ConnectivityManager) context.getSystemService(Context.CONNECTIVITY_SERVICE);
    }

    @Override
    public void onListen(Object arguments, EventChannel.EventSink events) {
        this.events = events;
        try {
            if (manager != null) manager.registerDefaultNetworkCallback(this);
        } catch (RuntimeException error) {
            // Too many callbacks of the app, or a device that forbids them: links open by hand only.
        }
    }

    @Override
    public void onCancel(Object arguments) {
        events = null;
        try {
            if (manager != null) manager.unregisterNetworkCallback(this);
        } catch (RuntimeException error) {
            // It was not registered.
        }
    }

    /** On a thread of the system; sinks are of the main thread. */
    @Override
    public void onAvailable(@NonNull Network network) {
        main.post(() -> {
            if (events != null) events.success(null);
        });
    }
}
