package android.content.pm;

public abstract class PackageManager {
    public PackageManager() {}

    public abstract PackageInfo getPackageInfo(String name, int flags) throws NameNotFoundException;

    public static class NameNotFoundException extends Exception {
        public NameNotFoundException() {}
    }
}
