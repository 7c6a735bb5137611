package android.net;

public final class NetworkCapabilities {
    public static final int NET_CAPABILITY_INTERNET = 12;
}
