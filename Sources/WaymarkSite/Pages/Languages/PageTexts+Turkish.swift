extension PageTexts {
    static let turkish = PageTexts(
        openIn: "{app}\u{202F}uygulamasında\u{202F}aç",
        openApp: "Uygulamayı\u{202F}aç",
        opensInApp: "Bu\u{202F}bağlantı\u{202F}uygulamada\u{202F}açılır.",
        getApp: "Uygulamayı\u{202F}edin",
        continueInBrowser: "Tarayıcıda\u{202F}devam\u{202F}et",
        continueAfterInstall: "Kaldığım\u{202F}yerden\u{202F}devam\u{202F}et",
        continueExplained:
            "Uygulama\u{202F}yüklendikten\u{202F}sonra\u{202F}buradan\u{202F}devam\u{202F}edebilsin\u{202F}diye\u{202F}bu\u{202F}bağlantıyı\u{202F}kopyalar.",
        insideAnotherApp:
            "Bir\u{202F}şey\u{202F}olmuyor\u{202F}mu?\u{202F}Bu\u{202F}sayfayı\u{202F}başka\u{202F}bir\u{202F}uygulamanın\u{202F}içinde\u{202F}görüntülüyorsunuz.\u{202F}Menüsünden\u{202F}“Tarayıcıda\u{202F}aç”\u{202F}seçeneğini\u{202F}belirleyin\u{202F}veya\u{202F}bağlantıyı\u{202F}kopyalayıp\u{202F}tarayıcınıza\u{202F}yapıştırın.",
        copyLink: "Bağlantıyı\u{202F}kopyala",
        copied: "Kopyalandı.\u{202F}Şimdi\u{202F}tarayıcınızı\u{202F}açın.",
        copyByHand: "Bu\u{202F}bağlantıyı\u{202F}kopyalayın:\u{202F}{link}",
        proceed: "Devam\u{202F}et",
        oneMoment: "Bir\u{202F}dakika…",
        whereItLeads: "Bu\u{202F}bağlantı\u{202F}nereye\u{202F}gidiyor?",
        onThisDevice: "Bu\u{202F}aygıtta",
        onOtherDevices: "Diğer\u{202F}aygıtlarda",
        app: "Uygulama",
        store: "Mağaza",
        web: "Web",
        qrCode: "Bu\u{202F}bağlantının\u{202F}QR\u{202F}kodu",
        expired: Message(
            title: "Bu\u{202F}bağlantının\u{202F}süresi\u{202F}doldu",
            text:
                "Artık\u{202F}kullanılamıyor.\u{202F}Bağlantıyı\u{202F}gönderen\u{202F}kişide\u{202F}daha\u{202F}yenisi\u{202F}olabilir."
        ),
        exhausted: Message(
            title: "Bu\u{202F}bağlantı\u{202F}artık\u{202F}kullanılamıyor",
            text: "Yalnızca\u{202F}sınırlı\u{202F}sayıda\u{202F}açılabiliyordu."),
        disabled: Message(
            title: "Bu\u{202F}bağlantı\u{202F}devre\u{202F}dışı\u{202F}bırakıldı",
            text: "Sahibi\u{202F}bağlantıyı\u{202F}kapattı."),
        scheduled: Message(
            title: "Bu\u{202F}bağlantı\u{202F}henüz\u{202F}etkin\u{202F}değil",
            text: "Lütfen\u{202F}daha\u{202F}sonra\u{202F}tekrar\u{202F}deneyin."),
        notFound: Message(
            title: "Sayfa\u{202F}bulunamadı",
            text: "Bağlantı\u{202F}eksik\u{202F}veya\u{202F}kaldırılmış\u{202F}olabilir."),
        unavailable: Message(
            title: "Bir\u{202F}sorun\u{202F}oluştu",
            text:
                "Bu\u{202F}bağlantı\u{202F}şu\u{202F}anda\u{202F}açılamıyor.\u{202F}Lütfen\u{202F}bir\u{202F}dakika\u{202F}sonra\u{202F}tekrar\u{202F}deneyin."
        ),
        tooManyRequests: Message(
            title: "Çok\u{202F}fazla\u{202F}istek",
            text: "Lütfen\u{202F}bir\u{202F}dakika\u{202F}bekleyip\u{202F}tekrar\u{202F}deneyin."),
        malformed: Message(
            title: "Bu\u{202F}adres\u{202F}geçersiz",
            text: "Yazım\u{202F}hatası\u{202F}olabilir."),
        unknownHost: Message(
            title: "Burada\u{202F}henüz\u{202F}bir\u{202F}şey\u{202F}yok",
            text: "Bu\u{202F}adres\u{202F}için\u{202F}bağlantı\u{202F}ayarlanmamış."),
        root: Message(
            title: "Bu\u{202F}adres\u{202F}bağlantılar\u{202F}içindir",
            text:
                "Burada\u{202F}bir\u{202F}sayfa\u{202F}yok.\u{202F}Size\u{202F}gönderilen\u{202F}bağlantının\u{202F}tamamını\u{202F}kullanın."
        ),
        visitWebsite: "Web\u{202F}sitesini\u{202F}ziyaret\u{202F}et")
}
