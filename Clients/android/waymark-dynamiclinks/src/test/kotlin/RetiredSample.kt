import android.app.Activity
import android.net.Uri
import android.os.Bundle
import com.google.firebase.dynamiclinks.DynamicLink
import com.google.firebase.dynamiclinks.FirebaseDynamicLinks
import com.google.firebase.dynamiclinks.PendingDynamicLinkData
import com.google.firebase.dynamiclinks.ShortDynamicLink

/** Code as Kotlin apps have it for Firebase's SDK, unchanged. */
class RetiredKotlinSample : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        FirebaseDynamicLinks.getInstance()
            .getDynamicLink(intent)
            .addOnSuccessListener(this) { pendingDynamicLinkData: PendingDynamicLinkData? ->
                var deepLink: Uri? = null
                if (pendingDynamicLinkData != null) {
                    deepLink = pendingDynamicLinkData.link
                }
                println(deepLink)
            }
            .addOnFailureListener(this) { e -> println("getDynamicLink:onFailure $e") }
    }

    fun create() {
        val dynamicLink = FirebaseDynamicLinks.getInstance().createDynamicLink()
            .setLink(Uri.parse("https://www.example.com/"))
            .setDomainUriPrefix("https://go.example.com")
            .setAndroidParameters(
                DynamicLink.AndroidParameters.Builder("com.example.android").setMinimumVersion(125).build()
            )
            .setIosParameters(DynamicLink.IosParameters.Builder("com.example.ios").setAppStoreId("123456789").build())
            .setSocialMetaTagParameters(DynamicLink.SocialMetaTagParameters.Builder().setTitle("Example").build())
            .buildDynamicLink()
        val dynamicLinkUri: Uri = dynamicLink.uri

        FirebaseDynamicLinks.getInstance().createDynamicLink()
            .setLongLink(dynamicLinkUri)
            .buildShortDynamicLink(ShortDynamicLink.Suffix.SHORT)
            .addOnSuccessListener { result ->
                val shortLink = result.shortLink
                val flowchartLink = result.previewLink
                for (warning in result.warnings) println("${warning.message} $shortLink $flowchartLink")
            }
            .addOnFailureListener { println(it.message) }
            .addOnCompleteListener(this) { task -> if (task.isSuccessful) println(task.result.shortLink) }
    }
}
