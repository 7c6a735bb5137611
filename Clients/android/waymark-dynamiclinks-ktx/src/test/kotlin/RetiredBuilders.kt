import android.net.Uri
import com.google.firebase.dynamiclinks.Firebase
import com.google.firebase.dynamiclinks.ShortDynamicLink
import com.google.firebase.dynamiclinks.androidParameters
import com.google.firebase.dynamiclinks.component1
import com.google.firebase.dynamiclinks.component2
import com.google.firebase.dynamiclinks.component3
import com.google.firebase.dynamiclinks.dynamicLink
import com.google.firebase.dynamiclinks.dynamicLinks
import com.google.firebase.dynamiclinks.googleAnalyticsParameters
import com.google.firebase.dynamiclinks.iosParameters
import com.google.firebase.dynamiclinks.itunesConnectAnalyticsParameters
import com.google.firebase.dynamiclinks.navigationInfoParameters
import com.google.firebase.dynamiclinks.shortLinkAsync
import com.google.firebase.dynamiclinks.socialMetaTagParameters

/** Code as Kotlin apps have it for Firebase's extensions; only the import of `Firebase` is changed. */
fun buildLinks() {
    val long = Firebase.dynamicLinks.dynamicLink {
        link = Uri.parse("https://www.example.com/")
        domainUriPrefix = "https://go.example.com"
        androidParameters("com.example.android") {
            minimumVersion = 125
        }
        androidParameters { }
        iosParameters("com.example.ios") {
            appStoreId = "123456789"
            minimumVersion = "1.0.1"
        }
        googleAnalyticsParameters("orkut", "social", "example-promo") { }
        googleAnalyticsParameters {
            source = "orkut"
        }
        itunesConnectAnalyticsParameters {
            providerToken = "123456"
            campaignToken = "example-promo"
        }
        socialMetaTagParameters {
            title = "Example of a Dynamic Link"
            description = "This link works whether the app is installed or not!"
        }
        navigationInfoParameters {
            forcedRedirectEnabled = true
        }
    }
    Firebase.dynamicLinks.shortLinkAsync(ShortDynamicLink.Suffix.SHORT) {
        longLink = long.uri
    }.addOnSuccessListener { (shortLink, flowchartLink, warnings) ->
        println("$shortLink $flowchartLink ${warnings.size}")
    }.addOnFailureListener { println(it) }
    Firebase.dynamicLinks.getDynamicLink(long.uri).addOnSuccessListener { pending ->
        val (deepLink, version, time) = pending
        println("$deepLink $version $time")
    }
}
