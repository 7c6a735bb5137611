package android.net;

public class ConnectivityManager {
    public static class NetworkCallback {
        public void onAvailable(Network network) {}
    }

    public void registerDefaultNetworkCallback(NetworkCallback callback) {}

    public void unregisterNetworkCallback(NetworkCallback callback) {}
}
