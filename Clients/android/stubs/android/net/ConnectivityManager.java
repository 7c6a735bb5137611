package android.net;

import java.util.ArrayList;
import java.util.List;

public class ConnectivityManager {
    public static class NetworkCallback {
        public void onAvailable(Network network) {}
    }

    /** Not in Android: who is told of networks. */
    public final List<NetworkCallback> callbacks = new ArrayList<>();

    ConnectivityManager() {}

    /** Not in Android: a device without a network. */
    public static ConnectivityManager offline() {
        return new ConnectivityManager();
    }

    public NetworkInfo getActiveNetworkInfo() {
        return null;
    }

    /** Since API 21. */
    public void registerNetworkCallback(NetworkRequest request, NetworkCallback callback) {
        callbacks.add(callback);
    }
}
