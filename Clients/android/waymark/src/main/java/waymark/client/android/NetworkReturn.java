package waymark.client.android;

import android.content.Context;
import android.net.ConnectivityManager;
import android.net.ConnectivityManager.NetworkCallback;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.net.NetworkRequest;
import androidx.annotation.NonNull;
import waymark.client.routing.Deeplinking;

/** Tells a router when the device has a network again, so that it resolves a link that could not be resolved before. */
public final class NetworkReturn {
    private NetworkReturn() {}

    /** For the life of the process; {@code ActivityLinks} does it. Without the permission nothing happens. */
    public static void register(@NonNull Context context, @NonNull Deeplinking deeplinking) {
        Object service = context.getApplicationContext().getSystemService(Context.CONNECTIVITY_SERVICE);
        if (!(service instanceof ConnectivityManager)) return;
        NetworkRequest request =
                new NetworkRequest.Builder().addCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET).build();
        MainThreadExecutor main = new MainThreadExecutor();
        try {
            ((ConnectivityManager) service).registerNetworkCallback(request, new NetworkCallback() {
                @Override
                public void onAvailable(Network network) {
                    main.execute(deeplinking::networkIsBack);
                }
            });
        } catch (RuntimeException error) {
            // The app has removed ACCESS_NETWORK_STATE, or has too many callbacks: the person opens the link again.
        }
    }
}
