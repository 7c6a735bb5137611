/// Tokens in the User-Agents of people and programs: one line per meaning. This is our own data; `TokenPattern`
/// defines the syntax.
enum SystemTokens {
    static let lines = """
        # Systems, and marks of engines
        windowsPhone: windows phone, windows mobile, windows ce|, iemobile, zunewp, wds␣
        iphone: |iphone, iph os, dv(iph
        ipod: |ipod, ipd os
        ipad: |ipad
        macintosh: |macintosh, mac_powerpc
        mac: mac os x, |macos, |macoutlook, |os x␣
        likeMac: like mac os x
        likeIPhone: like iphone, like ipad
        likeAndroid: like android
        iosBrowser: |crios/, |fxios/, |edgios/, |opios/, |opt/, |gsa/, |ddg/ios
        fire: |silk/, ; silk/, silk-accelerated, |kindle
        android: android, diordna, |adr␣, ^juc, dalvik/, oculusbrowser, |fb4a, |omdroid, ^a/, |staros|
        android: antennapod, podkicker, podcatcher deluxe
        androidBuild: ␣build/
        mobile: mobile, ; mobile;, ; mobile)
        chromeOS: |cros␣
        windows: |windows, |win98, |win95, |winnt, |win 9x
        cfNetwork: |cfnetwork
        darwin: |darwin|
        macMachine: x86_64, i386, macbook, macmini, imac, macpro
        ios: |ios|, |ipados, icatcher!, |castro 2, |airplay/
        openHarmony: openharmony
        disguised: |kaios/, |kobo touch, tclwebkit
        otherSystem: amigaos, morphos, |beos, |risc os, palmos, |inferno, openvms
        otherSystem: watchos, tvos, |tizen, |web0s, |webos, hpwos, smart-tv, smarttv, smart tv, hbbtv, |omi/, |netcast
        otherSystem: appletv, apple tv, playstation, |psp␣, nintendo, |xbox, |roku, |kaios, |harmonyos
        otherSystem: |symb, series60, series40, |s60, blackberry, |bb10, |rim tablet, |meego, |bada/, freebsd
        otherSystem: openbsd, netbsd, dragonfly, |sunos, |haiku, |aix, |os/2, |irix, |hp-ux, fuchsia, |crkey
        otherSystem: |sailfish, midp, cldc, up.browser, up.link, netfront, obigo, teleca, |j2me, |brew, dreamcast
        otherSystem: |docomo, |kddi, nokia, samsung-, ^lg-, ^lge-, ^mot-, sonyericsson, |webtv, |wap, googletv
        linux: |linux, |x11, |ubuntu
        engine: libweb, |servo, goanna, applewebkit, webkit, gecko, khtml, trident, msie, presto, |opera, |opr/
        engine: browser/, |dillo/, hotjava, |amaya/, |palmscape, |xiino, |jig browser
        mozilla: mozilla/
        # Makers with a store of their own
        amazon: ; kf, ; aft, ; amazon, fbmf/amazon
        huawei: huaweibrowser, ; hmscore
        googleServices: ; gmscore
        galaxy: samsungbrowser, ; samsung, ; sm-, ; gt-, ; sgh-, ; sch-, ; sph-, ; shv-, fbmf/samsung
        # Browsers
        safari: safari/, safari␣
        chrome: chrome/, chromium, |crios/
        firefox: firefox, |fxios/
        edge: |edg/, |edga/, |edge/, |edgios/
        opera: |opr/, |opera, |opios/, |opt/, |opx/
        samsung: samsungbrowser
        ie: |msie␣, trident/
        silk: |silk/, ; silk/
        uc: ucbrowser, |ucweb
        yandex: |yabrowser/
        vivaldi: |vivaldi/
        brave: |brave
        duckduckgo: |ddg/, duckduckgo/
        # Apps with a browser inside
        facebook: |fban/, |fbav/, metaiab
        instagram: instagram␣, instagram/
        threads: barcelona␣
        line: |line/
        wechat: micromessenger, |wechat
        tiktok: musical_ly, |trill_, |aweme, bytedancewebview, |tiktok, bytelocale/, ttwebview
        snapchat: snapchat
        linkedin: linkedinapp
        pinterest: [pinterest/
        twitter: twitterandroid, twitter for␣
        kakaotalk: kakaotalk
        google: |gsa/
        telegram: telegram-android, |telegram␣
        reddit: |reddit/
        slack: |slack/
        discord: |discord/
        naver: |naver(
        daum: daumapps
        baidu: baiduboxapp
        qq: | qq/
        weibo: |weibo
        alipay: alipayclient
        zalo: |zalo
        whatsapp: whatsapp/
        viber: |viber/
        webview: ; wv), ;wv)
        """
}
