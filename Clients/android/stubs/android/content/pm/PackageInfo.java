package android.content.pm;

import android.os.Parcelable;

public class PackageInfo implements Parcelable {
    public int versionCode;

    public PackageInfo() {}
}
