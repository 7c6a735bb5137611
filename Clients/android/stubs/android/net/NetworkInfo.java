package android.net;

import android.os.Parcelable;

public class NetworkInfo implements Parcelable {
    NetworkInfo() {}

    public boolean isConnected() {
        return false;
    }
}
