package waymark.tests;

import android.content.Context;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.net.ConnectivityManager;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/** An app's context without a device. */
public final class TestContext extends Context {
    private final File folder;
    public int versionCode = 7;
    public boolean isOffline;
    public final ConnectivityManager connectivity = ConnectivityManager.offline();
    public final List<Intent> started = new ArrayList<>();
    private Context application = this;
    public String mainProcess;

    public TestContext() throws IOException {
        String command = new String(Files.readAllBytes(Paths.get("/proc/self/cmdline")), StandardCharsets.UTF_8);
        mainProcess = command.substring(0, command.indexOf(0));
        folder = Files.createTempDirectory("waymark-context").toFile();
    }

    @Override
    public Context getApplicationContext() {
        return application;
    }

    public void setApplication(Context application) {
        this.application = application;
    }

    @Override
    public File getNoBackupFilesDir() {
        return folder;
    }

    @Override
    public Object getSystemService(String name) {
        return isOffline && name.equals(CONNECTIVITY_SERVICE) ? connectivity : null;
    }

    @Override
    public String getPackageName() {
        return "com.example.shop";
    }

    @Override
    public PackageManager getPackageManager() {
        return new PackageManager() {
            @Override
            public PackageInfo getPackageInfo(String name, int flags) {
                PackageInfo info = new PackageInfo();
                info.versionCode = versionCode;
                return info;
            }
        };
    }

    /** Android gives the app's main process this name. */
    @Override
    public ApplicationInfo getApplicationInfo() {
        ApplicationInfo info = new ApplicationInfo();
        info.processName = mainProcess;
        return info;
    }

    @Override
    public void startActivity(Intent intent) {
        started.add(intent);
    }
}
