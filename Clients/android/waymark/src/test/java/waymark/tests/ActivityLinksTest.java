package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import android.app.Activity;
import android.app.Application;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import androidx.core.app.OnNewIntentProvider;
import androidx.core.util.Consumer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import waymark.client.android.ActivityLinks;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.OpenResult;

class ActivityLinksTest {
    private final HeldService service = new HeldService();
    private final Deeplinking deeplinking = new Deeplinking(service, "shop");
    private final List<String> shown = new ArrayList<>();
    private final App app;

    ActivityLinksTest() throws Exception {
        app = new App(new TestContext());
        deeplinking.map("products/:id", deeplink -> shown.add(deeplink.getRouteParameters().get("id")));
        ActivityLinks.register(app, deeplinking, LinkActivity.class, PlainActivity.class);
    }

    private static final class App extends Application {
        App(Context device) {
            attachBaseContext(device);
        }

        @Override
        public Context getApplicationContext() {
            return this;
        }
    }

    /** The lifecycle as Android calls it. */
    private static class PlainActivity extends Activity {
        PlainActivity(App app, Intent intent) {
            attachBaseContext(app);
            setIntent(intent);
        }

        void launch(Bundle saved) {
            onCreate(saved);
            onStart();
            onResume();
        }

        void receive(Intent intent) {
            onNewIntent(intent);
            onResume();
        }

        @Override
        protected void onNewIntent(Intent intent) {
            setIntent(intent);
        }

        Bundle save() {
            Bundle state = new Bundle();
            onSaveInstanceState(state);
            return state;
        }
    }

    /** As of androidx: it calls listeners and sets no intent. */
    private static final class LinkActivity extends PlainActivity implements OnNewIntentProvider {
        final List<Consumer<Intent>> listeners = new ArrayList<>();

        LinkActivity(App app, Intent intent) {
            super(app, intent);
        }

        @Override
        protected void onNewIntent(Intent intent) {
            for (Consumer<Intent> listener : listeners) listener.accept(intent);
        }

        @Override
        public void addOnNewIntentListener(Consumer<Intent> listener) {
            listeners.add(listener);
        }

        @Override
        public void removeOnNewIntentListener(Consumer<Intent> listener) {
            listeners.remove(listener);
        }
    }

    private static Intent view(String url) {
        return new Intent(Intent.ACTION_VIEW, Uri.parse(url));
    }

    @Test
    void opensFirstAndFurtherLinksOnce() {
        for (PlainActivity activity : List.of(
                new LinkActivity(app, view("shop://products/1")), new PlainActivity(app, view("shop://products/1")))) {
            shown.clear();
            activity.launch(null);
            assertEquals(List.of("1"), shown);
            activity.receive(view("shop://products/2"));
            activity.receive(view("shop://products/3"));
            activity.performResume();
            assertEquals(List.of("1", "2", "3"), shown);
        }
    }

    @Test
    void opensNothingAgainAfterARotation() {
        Intent intent = view("shop://products/1");
        PlainActivity first = new LinkActivity(app, intent);
        first.launch(null);
        Bundle state = first.save();
        first.performDestroy();
        new LinkActivity(app, intent).launch(state);
        assertEquals(List.of("1"), shown);
    }

    @Test
    void keepsALinkThatWaitsInTheSavedState() throws Exception {
        LinkActivity first = new LinkActivity(app, view("https://go.example.com/a"));
        first.launch(null);
        Bundle state = first.save();
        Deeplinking next = new Deeplinking(service, "shop");
        next.map("products/:id", deeplink -> shown.add("next " + deeplink.getRouteParameters().get("id")));
        app.callbacks.clear();
        ActivityLinks.register(app, next, LinkActivity.class);
        new LinkActivity(app, view("https://go.example.com/a")).launch(state);
        service.answer(1, "shop://products/5", null);
        assertEquals(List.of("next 5"), shown);
    }

    @Test
    void leavesOtherActivitiesAlone() throws Exception {
        app.callbacks.clear();
        ActivityLinks.register(app, deeplinking, LinkActivity.class);
        new PlainActivity(app, view("shop://products/9")).launch(null);
        assertTrue(shown.isEmpty());
        assertThrows(IllegalArgumentException.class, () -> ActivityLinks.register(app, deeplinking));
    }

    @Test
    void claimsAfterTheLinkOfTheFirstActivity() {
        List<OpenResult> results = new ArrayList<>();
        app.callbacks.clear();
        ActivityLinks.register(app, deeplinking, PlainActivity.class).openDeferred(null, results::add);
        PlainActivity first = new PlainActivity(app, view("shop://products/1"));
        first.launch(null);
        assertEquals(1, results.size());
        assertTrue(service.claims.isEmpty(), "a link that the app was started with takes precedence");
        first.performDestroy();
        new PlainActivity(app, new Intent("android.intent.action.MAIN")).launch(null);
        assertEquals(1, results.size());
    }
}
