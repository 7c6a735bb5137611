package android.content;

import java.io.File;

public abstract class Context {
    public static final String CONNECTIVITY_SERVICE = "connectivity";

    public abstract File getNoBackupFilesDir();

    public abstract Object getSystemService(String name);
}
