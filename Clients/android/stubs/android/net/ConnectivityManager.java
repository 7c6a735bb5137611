package android.net;

public class ConnectivityManager {
    ConnectivityManager() {}

    /** Not in Android: a device without a network. */
    public static ConnectivityManager offline() {
        return new ConnectivityManager();
    }

    public NetworkInfo getActiveNetworkInfo() {
        return null;
    }
}
