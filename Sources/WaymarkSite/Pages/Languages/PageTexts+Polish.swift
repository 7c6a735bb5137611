extension PageTexts {
    static let polish = PageTexts(
        openIn: "Otwórz\u{202F}w\u{202F}aplikacji\u{202F}{app}",
        openApp: "Otwórz\u{202F}aplikację",
        opensInApp: "Ten\u{202F}link\u{202F}otwiera\u{202F}się\u{202F}w\u{202F}aplikacji.",
        getApp: "Pobierz\u{202F}aplikację",
        continueInBrowser: "Kontynuuj\u{202F}w\u{202F}przeglądarce",
        continueAfterInstall: "Kontynuuj\u{202F}od\u{202F}tego\u{202F}miejsca",
        continueExplained:
            "Kopiuje\u{202F}ten\u{202F}link,\u{202F}aby\u{202F}po\u{202F}instalacji\u{202F}aplikacja\u{202F}mogła\u{202F}otworzyć\u{202F}się\u{202F}w\u{202F}tym\u{202F}miejscu.",
        insideAnotherApp:
            "Nic\u{202F}się\u{202F}nie\u{202F}dzieje?\u{202F}Ta\u{202F}strona\u{202F}jest\u{202F}wyświetlana\u{202F}w\u{202F}innej\u{202F}aplikacji.\u{202F}Wybierz\u{202F}z\u{202F}jej\u{202F}menu\u{202F}„Otwórz\u{202F}w\u{202F}przeglądarce”\u{202F}albo\u{202F}skopiuj\u{202F}link\u{202F}i\u{202F}wklej\u{202F}go\u{202F}w\u{202F}przeglądarce.",
        copyLink: "Kopiuj\u{202F}link",
        copied: "Skopiowano.\u{202F}Teraz\u{202F}otwórz\u{202F}przeglądarkę.",
        copyByHand: "Skopiuj\u{202F}ten\u{202F}link:\u{202F}{link}",
        proceed: "Dalej",
        oneMoment: "Chwileczkę…",
        whereItLeads: "Dokąd\u{202F}prowadzi\u{202F}ten\u{202F}link",
        onThisDevice: "Na\u{202F}tym\u{202F}urządzeniu",
        onOtherDevices: "Na\u{202F}innych\u{202F}urządzeniach",
        app: "Aplikacja",
        store: "Sklep",
        web: "WWW",
        qrCode: "Kod\u{202F}QR\u{202F}tego\u{202F}linku",
        expired: Message(
            title: "Ten\u{202F}link\u{202F}wygasł",
            text:
                "Nie\u{202F}jest\u{202F}już\u{202F}dostępny.\u{202F}Być\u{202F}może\u{202F}nadawca\u{202F}ma\u{202F}nowszy."
        ),
        exhausted: Message(
            title: "Ten\u{202F}link\u{202F}nie\u{202F}jest\u{202F}już\u{202F}dostępny",
            text: "Można\u{202F}go\u{202F}było\u{202F}otworzyć\u{202F}tylko\u{202F}określoną\u{202F}liczbę\u{202F}razy."
        ),
        disabled: Message(
            title: "Ten\u{202F}link\u{202F}został\u{202F}wyłączony",
            text: "Wyłączył\u{202F}go\u{202F}właściciel."),
        scheduled: Message(
            title: "Ten\u{202F}link\u{202F}nie\u{202F}jest\u{202F}jeszcze\u{202F}aktywny",
            text: "Spróbuj\u{202F}ponownie\u{202F}później."),
        notFound: Message(
            title: "Nie\u{202F}znaleziono\u{202F}strony",
            text: "Link\u{202F}może\u{202F}być\u{202F}niekompletny\u{202F}lub\u{202F}został\u{202F}usunięty."),
        unavailable: Message(
            title: "Coś\u{202F}poszło\u{202F}nie\u{202F}tak",
            text:
                "Nie\u{202F}możemy\u{202F}teraz\u{202F}otworzyć\u{202F}tego\u{202F}linku.\u{202F}Spróbuj\u{202F}ponownie\u{202F}za\u{202F}minutę."
        ),
        tooManyRequests: Message(
            title: "Zbyt\u{202F}wiele\u{202F}prób",
            text: "Poczekaj\u{202F}minutę\u{202F}i\u{202F}spróbuj\u{202F}ponownie."),
        malformed: Message(
            title: "Ten\u{202F}adres\u{202F}jest\u{202F}nieprawidłowy",
            text: "Może\u{202F}zawierać\u{202F}literówkę."),
        unknownHost: Message(
            title: "Tu\u{202F}jeszcze\u{202F}nic\u{202F}nie\u{202F}ma",
            text: "Dla\u{202F}tego\u{202F}adresu\u{202F}nie\u{202F}skonfigurowano\u{202F}żadnych\u{202F}linków."),
        root: Message(
            title: "Ten\u{202F}adres\u{202F}służy\u{202F}do\u{202F}otwierania\u{202F}linków",
            text:
                "Nie\u{202F}ma\u{202F}tu\u{202F}żadnej\u{202F}strony.\u{202F}Użyj\u{202F}pełnego\u{202F}linku,\u{202F}który\u{202F}otrzymałeś\u{202F}lub\u{202F}otrzymałaś."
        ),
        visitWebsite: "Przejdź\u{202F}do\u{202F}witryny")
}
