package com.google.firebase.dynamiclinks;

import android.net.Uri;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;

/** A short link that was created. */
public interface ShortDynamicLink {
    @Nullable
    Uri getShortLink();

    /** The page that shows where the link leads. */
    @Nullable
    Uri getPreviewLink();

    /** What the service found wrong with the parameters. */
    @NonNull
    List<? extends Warning> getWarnings();

    /** A parameter that the service ignored or changed. */
    interface Warning {
        /** @deprecated always null, as in Firebase's later versions */
        @Nullable
        @Deprecated
        String getCode();

        @Nullable
        String getMessage();
    }

    /** How long the generated path is. */
    @Retention(RetentionPolicy.SOURCE)
    @interface Suffix {
        /** 17 characters, which nobody guesses. The default. */
        int UNGUESSABLE = 1;
        /** As short as possible, at least 4 characters. */
        int SHORT = 2;
    }
}
