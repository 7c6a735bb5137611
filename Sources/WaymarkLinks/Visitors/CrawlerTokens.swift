/// Tokens in the User-Agents of crawlers and programs: one line per kind. This is our own data; `TokenPattern`
/// defines the syntax.
///
/// Most are generic (`crawl`, `fetcher`, `http client`, a contact address), so that unknown crawlers are also
/// detected. A name is listed if no generic token matches it, or if its kind matters. `likely` tokens also occur in
/// the texts of apps, and are ignored in an app's browser; `maybe` tokens are ignored wherever engine and system are
/// named. Both are ignored beside a `person` token. Fields of an Android device count only for tokens with `;`.
enum CrawlerTokens {
    static let lines = """
        preview: facebookexternalhit, |facebot, meta-externalhit, meta-externalfetcher, meta-externalagent
        preview: meta-webindexer, |facebookcatalog, twitterbot, linkedinbot, slackbot, slack-imgproxy
        preview: discordbot
        preview: |discord-link, telegrambot, ^whatsapp, ^skype, skypeuripreview, microsoftpreview, |redditbot
        preview: pinterestbot, ^pinterest/, pinterest.com/bot, |vkshare, |vkrobot, odklbot, linespider
        preview: kakaotalk-scrap, |kakao-scrap, snap url preview, snapurlpreview, mastodon/, |pleroma, |misskey
        preview: |akkoma, |friendica, |lemmy/, summalybot, |pixelfed, iframely, embedly, |bingpreview
        preview: web preview, link preview, linkpreview, link-preview, url preview, urlpreview, page preview
        preview: previewbot, |preview/, unfurl, onebox, oembed, opengraph, open graph, og-image, metatagfetcher
        preview: metascraper, richlink, rich link, googleimageproxy, |ggpht.com, image fetcher, image proxy
        preview: imageproxy, imgproxy, |camo|, github-camo, flipboardproxy, groupmebot, mattermost-bot
        preview: matrix-media, keybasebot, tiktokspider, everyonesocial, tweetmeme, addthis, newsharecounts
        preview: |jetslide, ^ning/, hatena, valve/steam, steamchat, ^bluesky, blueskybot, bluesky bot, |cardyb
        preview: clickuplink, mediumbot, quora-bot, |codabot, xing bot, xing-content, dingtalkbot, loomly
        preview: |dbot)
        preview: gg peekbot, supabase paired, twilioproxy, ^notion, ^tumblr/, aasa-bot, ^signal, ^imessage
        preview: |bitlybot, |bitrix link, |zoombot, |wechatshare, |chatwork, |paperlibot, scoop.it, |synapse
        preview: page-preview, rocketchat-, fastmailua, mailproxy, compatible; goodreads, ^viber, bufferlink
        preview: |disqus, googlemessages/, ms-office, microsoft office, ^word/, ^excel/, ^powerpoint/
        preview: thirdlandingpagefeinfra
        search: googlebot, google-inspectiontool, google-read, googleother, |storebot, ; storebot-google
        search: adsbot-google
        search: mediapartners-google, feedfetcher-google, google favicon, apis-google, google-extended
        search: |google-site, googleproducer, googleweblight, bingbot, msnbot, |adidxbot, applebot, duckduckbot
        search: duckduckgo-favicons, baiduspider, petalbot, aspiegelbot, |slurp, 360spider, haosou, yisouspider
        search: seznambot, |yeti/, mojeek, exabot, teoma, |ask jeeves, |gigabot, |gigablast, |marginalia, |yacy
        search: swiftbot, |search.marginalia, |mail.ru_bot, |ichiro, |goo.ne, search engine, searchengine
        search: searchbot, search-bot, |wotbox, entireweb, |istella, |findxbot, zumbot, |oai-search, |timpi
        search: alexandria, baidu transcoder, baidu-, yandex.com/bots, yandex.ru/bots, qwantify, sogou web
        search: sogou pic, sogou inst, sogou news, sogou video, sogou orion, playstore-google, geedo, biglotron
        search: |daum/, daumoa, |stract
        monitor: uptime, pingdom, statuscake, site24x7, monitor, datadog, newrelic, new relic, ^kube, kube-probe
        monitor: googlehc, healthcheck, health check, health-check, elb-health, nagios, check_http, zabbix
        monitor: icinga, prtg, freshping, hetrix, hyperspin, checkly, updown.io, blackbox, catchpoint
        monitor: ; catchpoint), uptimia, |hlb/, 360jk, dynatrace
        monitor: ruxit, alertsite, alertra, webpagetest, |ptst/, gtmetrix, lighthouse, pagespeed, page speed
        monitor: speedcurve, cookiebot, statuspage, wp-cron, |wordpress.com, googlestackdriver, sitechecker
        monitor: panopta, nodeping, watchdog, |oh dear, ohdear, betteruptime, better stack, |downnotifier
        monitor: |montastic, |wormly, websitepulse, appinsights, pingbot, cron|, jetpack/, jetpack by, dareboost
        monitor: thousandeyes, silktide, sindup, ghost inspector, |ylt|, |rigor, gomeza, sentry/, ptst␣, neustar
        monitor: synthetic, observatory, debugbear, splunk, diagnostics/
        scanner: nuclei, nikto, masscan, zgrab, |nmap, sqlmap, censys, expanse, shodan, proofpoint, barracuda
        scanner: mimecast, safelinks, wpscan, virustotal, urlscan, netcraft, |scanner, scanning, qualys, nessus
        scanner: acunetix, openvas, detectify, intruder, netsystemsresearch, internetmeasurement
        scanner: internet-measurement, internet measurement, paloalto, palo alto, cortex xpanse, leakix, |zmap
        scanner: |criminalip, |bitsight, securitytrails, malware, phish, trendmicro, sucuri, quttera, forcepoint
        scanner: websense, fortiguard, checkpoint, burp, w3af, dirbuster, gobuster, ffuf, arachni, |jaeles
        scanner: whatweb, wappalyzer, builtwith, vuln, pentest, |httpx -, projectdiscovery, |l9tcpid, fuzz
        scanner: |clam
        scanner: cookiehub, hardenize, foregenix, securityheaders, xmco, watchtowr, |scan|, |recon, assetnote
        other: bots|, crawl, spider, scrape, scraping, |scrapy, archiver, indexer, checker, linkcheck
        other: link check, validator, analyzer, analyser, extractor, parser, harvest, collector, aggregator
        other: downloader, webcopier, feedreader, +http, http client, httpclient, http-client, http_client
        other: httplib, http lib, libhttp, survey|, benchmark, |research, |probe, sitemap, backlink, headless
        other: phantomjs, puppeteer, playwright, selenium, webdriver, cypress, |jsdom, prerender, rendertron
        other: |htmlunit, ^curl, |libcurl, ^wget, |wget/, ^python, |python-, |urllib, aiohttp, |httpx, ^go-
        other: go-http, ^go␣, |okhttp, ^java, apache-, |axios, node-fetch, ^node, |undici, |got/, |got (
        other: superagent, |lwp, ^ruby, |faraday, mechanize, typhoeus, http.rb, ^php, guzzle, |symfony, |snoopy
        other: postman, insomnia, httpie, |reqwest, |hyper/, restsharp, winhttp, |rest-client, |ktor, |vert.x
        other: |jakarta, |resty, |fasthttp, |colly, |httrack, |nutch, |heritrix, |jersey, |akka, |cpp-http
        other: |indy library, |msxml, |powershell, windowspowershell, |axel, |aria2, |scrapbook, w3c, |drupal
        other: |joomla, gptbot, anthropic, |ccbot, bytespider, |ia_archiver, internet archive, |wayback
        other: web.archive, googleassociationservice, |duplexweb, cloudfront, |dataprovider, netty|
        other: |amazon cloudfront, |amzn, ^pear, rss reader, rssreader, |rss/, |agent/, fetcher, |fetch/
        other: ^libwww, libwww-perl, |bot/, |bot-, ^bot␣, ^java/, feedly, feedbin, feeder, feedburner
        other: feedparser, feedvalidator, seo|, |node.js, dart/, ^amazon-, -agent|, agent), googleagent
        other: datanyze, newsai, collapsify, manus-user, sitesucker, turingos, webcapture, web capture, |dlc/
        other: hotjar, linktiger, marketgoo, modularconnector, contentscan, newsnow, google-ads, ^ps_daily
        other: httpagent, readable/, testlocally, |bw/, claude-, chatgpt-, openai.com, perplexity-, cohere-
        other: |splash|, http-get, http_get, grpc-, ^npm/, ^pnpm/, ^yarn/, ^pip/, ^docker/, ^gradle, ^git/
        other: ^apt|, symbolicator, archivebox, |devin/, mixnode, screenshot, webthumb, thumbnail, thumbor
        other: thumbshot, websnapr, wkhtml, webkit2png, webscreen, pageburst, dmbrowser, taginspector
        other: ) daum␣, newsblur feed, |sparkler/, linux gnu (cow), (iplabel;, ucsbnetworkmeasurement
        other: |convertify
        other: cybaaagent, webmoney advisor, karnoprospecting, |charlotte/, castro 2,␣
        other: brandverity, siteimprove, adbeat, |tineye, inspici, |scope3, |um-fc/, |um-ic/, criticalcss
        other: sqwatcher
        other: printfriendly, deepcrawl, mail.ukr.net, mail.ru/passremind, ; duplexweb-google
        other: inspector/, functionize, google-ad, google-amp, google-hotel, google-publisher
        other: google-assess, google-business, google-structured, google-shopping, google-youtube
        other: google-physical, google-search, google search console, google pp␣, google keyword, googleadsense
        other: google wireless transcoder, google-transparency, bingsearch, binglocal, whatcms, cloudflare-
        likely: bot|, scanner, @, (http://, (https://, (via␣, (www.
        maybe: .com|, .io|, .org|, .ai|, http://, https://
        person: goggalaxyclient, camscanner, @calendar=, @numbers=, @rg=, @currency=, @collation=, @hours=
        person: @fw=, @colnumeric=
        person: cubot, xbot␣, bsalsa.com, lynx/, ucbrowser, ucweb, links (, elinks, w3m, up.browser, up.link
        person: profile/midp, nokia, samsung, |idbot, ecosia
        """
}
