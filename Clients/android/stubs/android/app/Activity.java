package android.app;

import android.content.Context;
import android.content.ContextWrapper;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import android.view.View;

public class Activity extends ContextWrapper {
    private Intent intent;
    /** Not in Android: what is shown. */
    public View content;

    public Activity() {
        super((Context) null);
    }

    protected void onCreate(Bundle savedInstanceState) {}

    protected void onNewIntent(Intent intent) {}

    protected void onSaveInstanceState(Bundle outState) {}

    protected void onDestroy() {}

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
