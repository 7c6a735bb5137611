package android.app;

import android.content.Intent;

/** An activity with an intent. */
public class Activity {
    private final Intent intent;

    public Activity(Intent intent) {
        this.intent = intent;
    }

    public Intent getIntent() {
        return intent;
    }
}
