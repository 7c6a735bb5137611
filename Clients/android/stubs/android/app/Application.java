package android.app;

import android.content.Context;
import android.content.ContextWrapper;

public class Application extends ContextWrapper {
    public Application() {
        super((Context) null);
    }

    public void onCreate() {}
}
