package android.content;

import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import java.io.File;

public abstract class Context {
    public static final String CONNECTIVITY_SERVICE = "connectivity";

    public Context() {}

    public abstract Context getApplicationContext();

    public abstract File getNoBackupFilesDir();

    public abstract Object getSystemService(String name);

    public abstract String getPackageName();

    public abstract PackageManager getPackageManager();

    public abstract ApplicationInfo getApplicationInfo();

    public abstract void startActivity(Intent intent);
}
