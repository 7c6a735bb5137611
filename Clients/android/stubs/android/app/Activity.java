package android.app;

import android.app.Application.ActivityLifecycleCallbacks;
import android.content.Context;
import android.content.ContextWrapper;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import android.view.View;
import java.util.ArrayList;
import java.util.List;

public class Activity extends ContextWrapper {
    private Intent intent;
    /** Not in Android: what is shown. */
    public View content;

    public Activity() {
        super((Context) null);
    }

    protected void onCreate(Bundle savedInstanceState) {
        for (ActivityLifecycleCallbacks each : callbacks()) each.onActivityCreated(this, savedInstanceState);
    }

    protected void onStart() {
        for (ActivityLifecycleCallbacks each : callbacks()) each.onActivityStarted(this);
    }

    protected void onResume() {
        for (ActivityLifecycleCallbacks each : callbacks()) each.onActivityResumed(this);
    }

    protected void onNewIntent(Intent intent) {}

    protected void onSaveInstanceState(Bundle outState) {
        for (ActivityLifecycleCallbacks each : callbacks()) each.onActivitySaveInstanceState(this, outState);
    }

    protected void onDestroy() {
        for (ActivityLifecycleCallbacks each : callbacks()) each.onActivityDestroyed(this);
    }

    /** Not in Android's public interface, like the two below: what the system calls. */
    public void performStart() {
        onStart();
    }

    public void performResume() {
        onResume();
    }

    public void performDestroy() {
        onDestroy();
    }

    private List<ActivityLifecycleCallbacks> callbacks() {
        Context application = getBaseContext() == null ? null : getApplicationContext();
        return application instanceof Application
                ? new ArrayList<>(((Application) application).callbacks) : new ArrayList<>();
    }

    public boolean isDestroyed() {
        return false;
    }

    public Intent getIntent() {
        return intent;
    }

    public void setIntent(Intent intent) {
        this.intent = intent;
    }

    /** Since API 22. */
    public Uri getReferrer() {
        return null;
    }

    public void setContentView(View view) {
        content = view;
    }
}
