import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import waymark.cases.ScriptedNetwork
import waymark.client.LinkRequest
import waymark.client.RetryPolicy
import waymark.client.WaymarkClient
import waymark.client.WaymarkException
import waymark.client.awaitClaimDeferred
import waymark.client.awaitCreateSmartlink
import waymark.client.awaitResolve
import waymark.client.json.Json
import waymark.client.routing.Deeplinking
import waymark.client.routing.addFilter
import waymark.client.routing.awaitExplain
import waymark.client.routing.awaitOpen
import waymark.client.routing.awaitOpenCurrentDeeplink
import waymark.client.routing.awaitOpenDeferred
import waymark.client.routing.map
import waymark.client.routing.openedLinks
import waymark.client.transport.HttpTransport
import waymark.client.transport.TransportResponse

/** Plays the calls for coroutines; exit status 1 at the first that is wrong. */
fun main() = runBlocking {
    val answer = """{"deeplink": "shop://products/7", "metadata": {"coupon": "20"}, "redeem": {"used": 1}}"""
    val answers = listOf(
        """{"status": 200, "json": $answer}""", """{"status": 201, "json": {"smartlink": "https://go.example.com/a"}}""",
        """{"status": 200, "json": $answer}"""
    )
    val network = ScriptedNetwork(answers.map { Json.read(it.toByteArray()).value })
    val client = WaymarkClient.builder("https://go.example.com", "wm_x").app("shop").transport(network)
        .retry(RetryPolicy.NEVER).sendsEvents(false).buildUnchecked()
    check(client.awaitResolve("https://go.example.com/a").metadata?.getString("coupon") == "20")
    check(client.awaitCreateSmartlink(LinkRequest("products/:id").routeParameter("id", 7)) == "https://go.example.com/a")
    check(client.awaitClaimDeferred() == null)

    val router = Deeplinking(client, "shop")
    router.map("products/:id") {}
    val links = async(start = CoroutineStart.UNDISPATCHED) { router.openedLinks.take(2).toList() }
    check(router.awaitOpen("https://go.example.com/a").isOpened)
    check(router.awaitOpen("shop://products/8").isOpened)
    check(links.await().map { it.routeParameters["id"] } == listOf("7", "8"))
    check(router.awaitOpenDeferred() == null) { "a link was opened" }
    val failed = runCatching { client.awaitResolve("https://go.example.com/b") }.exceptionOrNull()
    check((failed as WaymarkException).kind == WaymarkException.Kind.UNREACHABLE)

    // Filters and targets that suspend.
    val signIn = CompletableDeferred<Boolean>()
    val screens = mutableListOf<String?>()
    val slow = Deeplinking(client, "shop")
    slow.addFilter(this) { signIn.await() }
    slow.map("products/:id", this) { yield(); screens.add(it.routeParameters["id"]) }
    val opening = async(start = CoroutineStart.UNDISPATCHED) { slow.awaitOpen("shop://products/9") }
    yield()
    check(screens.isEmpty() && slow.currentDeeplink?.wasOpened() == false)
    signIn.complete(true)
    check(opening.await().isOpened && screens == listOf("9"))
    check(slow.awaitExplain("shop://products/9").route == "products/:id")
    check(slow.awaitOpenCurrentDeeplink()?.isOpened == true)

    // A coroutine that ends takes its request along.
    val begun = java.util.concurrent.CountDownLatch(1)
    val ended = java.util.concurrent.CountDownLatch(1)
    val held = HttpTransport {
        begun.countDown()
        try {
            Thread.currentThread().join()
        } catch (error: InterruptedException) {
            ended.countDown()
        }
        TransportResponse(200, emptyMap(), ByteArray(0))
    }
    val waiting = WaymarkClient.builder("https://go.example.com", "wm_x").transport(held).sendsEvents(false).build()
    val call = launch(start = CoroutineStart.UNDISPATCHED) { waiting.awaitResolve("https://go.example.com/c") }
    begun.await()
    call.cancel()
    ended.await()
    println("The calls for coroutines work.")
}
