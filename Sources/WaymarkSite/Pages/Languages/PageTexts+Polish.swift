extension PageTexts {
    static let polish = PageTexts(
        openIn: "Otwórz w aplikacji {app}",
        openApp: "Otwórz aplikację",
        opensInApp: "Ten link otwiera się w aplikacji.",
        getApp: "Pobierz aplikację",
        continueInBrowser: "Kontynuuj w przeglądarce",
        continueAfterInstall: "Kontynuuj od tego miejsca",
        continueExplained:
            "Kopiuje ten link, aby po instalacji aplikacja mogła otworzyć się w tym miejscu.",
        insideAnotherApp:
            "Nic się nie dzieje? Ta strona jest wyświetlana w innej aplikacji. Wybierz z jej menu „Otwórz w przeglądarce” albo skopiuj link i wklej go w przeglądarce.",
        copyLink: "Kopiuj link",
        copied: "Skopiowano. Teraz otwórz przeglądarkę.",
        copyByHand: "Skopiuj ten link: {link}",
        proceed: "Dalej",
        oneMoment: "Chwileczkę…",
        openOnPhone: "Otwórz ten link na telefonie",
        scanCode: "Skieruj aparat telefonu na ten kod.",
        whereItLeads: "Dokąd prowadzi ten link",
        onThisDevice: "Na tym urządzeniu",
        onOtherDevices: "Na innych urządzeniach",
        app: "Aplikacja",
        store: "Sklep",
        web: "WWW",
        qrCode: "Kod QR tego linku",
        isProtected: "Ten link jest chroniony",
        enterPassword: "Wpisz hasło, aby przejść dalej.",
        password: "Hasło",
        wrongPassword: "To hasło jest nieprawidłowe. Spróbuj ponownie.",
        expired: Message(
            title: "Ten link wygasł",
            text:
                "Nie jest już dostępny. Być może nadawca ma nowszy."
        ),
        exhausted: Message(
            title: "Ten link nie jest już dostępny",
            text: "Można go było otworzyć tylko określoną liczbę razy."
        ),
        disabled: Message(
            title: "Ten link został wyłączony",
            text: "Wyłączył go właściciel."),
        scheduled: Message(
            title: "Ten link nie jest jeszcze aktywny",
            text: "Spróbuj ponownie później."),
        notFound: Message(
            title: "Nie znaleziono strony",
            text: "Link może być niekompletny lub został usunięty."),
        unavailable: Message(
            title: "Coś poszło nie tak",
            text:
                "Nie możemy teraz otworzyć tego linku. Spróbuj ponownie za minutę."
        ),
        tooManyRequests: Message(
            title: "Zbyt wiele prób",
            text: "Poczekaj minutę i spróbuj ponownie."),
        malformed: Message(
            title: "Ten adres jest nieprawidłowy",
            text: "Może zawierać literówkę."),
        unknownHost: Message(
            title: "Tu jeszcze nic nie ma",
            text: "Dla tego adresu nie skonfigurowano żadnych linków."),
        root: Message(
            title: "Ten adres służy do otwierania linków",
            text:
                "Nie ma tu żadnej strony. Użyj pełnego linku, który otrzymałeś lub otrzymałaś."
        ),
        visitWebsite: "Przejdź do witryny")
}
