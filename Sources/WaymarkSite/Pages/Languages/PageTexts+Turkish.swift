extension PageTexts {
    static let turkish = PageTexts(
        openIn: "{app} uygulamasında aç",
        openApp: "Uygulamayı aç",
        opensInApp: "Bu bağlantı uygulamada açılır.",
        getApp: "Uygulamayı edin",
        continueInBrowser: "Tarayıcıda devam et",
        continueAfterInstall: "Kaldığım yerden devam et",
        continueExplained:
            "Uygulama yüklendikten sonra buradan devam edebilsin diye bu bağlantıyı kopyalar.",
        insideAnotherApp:
            "Bir şey olmuyor mu? Bu sayfayı başka bir uygulamanın içinde görüntülüyorsunuz. Menüsünden “Tarayıcıda aç” seçeneğini belirleyin veya bağlantıyı kopyalayıp tarayıcınıza yapıştırın.",
        copyLink: "Bağlantıyı kopyala",
        copied: "Kopyalandı. Şimdi tarayıcınızı açın.",
        copyByHand: "Bu bağlantıyı kopyalayın: {link}",
        proceed: "Devam et",
        oneMoment: "Bir dakika…",
        openOnPhone: "Bu bağlantıyı telefonunuzda açın",
        scanCode: "Telefonunuzun kamerasını bu koda tutun.",
        whereItLeads: "Bu bağlantı nereye gidiyor?",
        onThisDevice: "Bu aygıtta",
        onOtherDevices: "Diğer aygıtlarda",
        app: "Uygulama",
        store: "Mağaza",
        web: "Web",
        qrCode: "Bu bağlantının QR kodu",
        isProtected: "Bu bağlantı korunuyor",
        enterPassword: "Devam etmek için parolayı girin.",
        password: "Parola",
        wrongPassword: "Parola yanlış. Lütfen tekrar deneyin.",
        expired: Message(
            title: "Bu bağlantının süresi doldu",
            text:
                "Artık kullanılamıyor. Bağlantıyı gönderen kişide daha yenisi olabilir."
        ),
        exhausted: Message(
            title: "Bu bağlantı artık kullanılamıyor",
            text: "Yalnızca sınırlı sayıda açılabiliyordu."),
        disabled: Message(
            title: "Bu bağlantı devre dışı bırakıldı",
            text: "Sahibi bağlantıyı kapattı."),
        scheduled: Message(
            title: "Bu bağlantı henüz etkin değil",
            text: "Lütfen daha sonra tekrar deneyin."),
        notFound: Message(
            title: "Sayfa bulunamadı",
            text: "Bağlantı eksik veya kaldırılmış olabilir."),
        unavailable: Message(
            title: "Bir sorun oluştu",
            text:
                "Bu bağlantı şu anda açılamıyor. Lütfen bir dakika sonra tekrar deneyin."
        ),
        tooManyRequests: Message(
            title: "Çok fazla istek",
            text: "Lütfen bir dakika bekleyip tekrar deneyin."),
        malformed: Message(
            title: "Bu adres geçersiz",
            text: "Yazım hatası olabilir."),
        unknownHost: Message(
            title: "Burada henüz bir şey yok",
            text: "Bu adres için bağlantı ayarlanmamış."),
        root: Message(
            title: "Bu adres bağlantılar içindir",
            text:
                "Burada bir sayfa yok. Size gönderilen bağlantının tamamını kullanın."
        ),
        visitWebsite: "Web sitesini ziyaret et")
}
