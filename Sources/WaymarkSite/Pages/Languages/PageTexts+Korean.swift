extension PageTexts {
    static let korean = PageTexts(
        openIn: "{app}에서\u{202F}열기",
        openApp: "앱\u{202F}열기",
        opensInApp: "이\u{202F}링크는\u{202F}앱에서\u{202F}열립니다.",
        getApp: "앱\u{202F}받기",
        continueInBrowser: "브라우저에서\u{202F}계속",
        continueAfterInstall: "이어서\u{202F}계속하기",
        continueExplained:
            "앱을\u{202F}설치한\u{202F}후\u{202F}여기에서\u{202F}이어서\u{202F}볼\u{202F}수\u{202F}있도록\u{202F}이\u{202F}링크를\u{202F}복사합니다.",
        insideAnotherApp:
            "반응이\u{202F}없나요?\u{202F}이\u{202F}페이지가\u{202F}다른\u{202F}앱\u{202F}안에서\u{202F}열려\u{202F}있습니다.\u{202F}해당\u{202F}앱의\u{202F}메뉴에서\u{202F}‘브라우저에서\u{202F}열기’를\u{202F}선택하거나\u{202F}링크를\u{202F}복사하여\u{202F}브라우저에\u{202F}붙여넣으세요.",
        copyLink: "링크\u{202F}복사",
        copied: "복사했습니다.\u{202F}이제\u{202F}브라우저를\u{202F}여세요.",
        copyByHand: "이\u{202F}링크를\u{202F}복사하세요:\u{202F}{link}",
        proceed: "계속",
        oneMoment: "잠시만\u{202F}기다려\u{202F}주세요…",
        whereItLeads: "이\u{202F}링크가\u{202F}연결되는\u{202F}곳",
        onThisDevice: "이\u{202F}기기",
        onOtherDevices: "다른\u{202F}기기",
        app: "앱",
        store: "스토어",
        web: "웹",
        qrCode: "이\u{202F}링크의\u{202F}QR\u{202F}코드",
        expired: Message(
            title: "만료된\u{202F}링크입니다",
            text:
                "더\u{202F}이상\u{202F}사용할\u{202F}수\u{202F}없습니다.\u{202F}링크를\u{202F}보낸\u{202F}사람에게\u{202F}새\u{202F}링크를\u{202F}요청하세요."
        ),
        exhausted: Message(
            title: "더\u{202F}이상\u{202F}사용할\u{202F}수\u{202F}없는\u{202F}링크입니다",
            text: "링크를\u{202F}열\u{202F}수\u{202F}있는\u{202F}횟수를\u{202F}모두\u{202F}사용했습니다."),
        disabled: Message(title: "비활성화된\u{202F}링크입니다", text: "소유자가\u{202F}이\u{202F}링크를\u{202F}비활성화했습니다."),
        scheduled: Message(
            title: "아직\u{202F}활성화되지\u{202F}않은\u{202F}링크입니다",
            text: "나중에\u{202F}다시\u{202F}시도해\u{202F}주세요."),
        notFound: Message(
            title: "페이지를\u{202F}찾을\u{202F}수\u{202F}없습니다",
            text: "링크가\u{202F}완전하지\u{202F}않거나\u{202F}삭제되었을\u{202F}수\u{202F}있습니다."),
        unavailable: Message(
            title: "문제가\u{202F}발생했습니다",
            text:
                "지금은\u{202F}이\u{202F}링크를\u{202F}열\u{202F}수\u{202F}없습니다.\u{202F}1분\u{202F}후에\u{202F}다시\u{202F}시도해\u{202F}주세요."
        ),
        tooManyRequests: Message(
            title: "요청이\u{202F}너무\u{202F}많습니다",
            text: "1분\u{202F}정도\u{202F}기다린\u{202F}후\u{202F}다시\u{202F}시도해\u{202F}주세요."),
        malformed: Message(
            title: "올바르지\u{202F}않은\u{202F}주소입니다",
            text: "주소에\u{202F}오타가\u{202F}있을\u{202F}수\u{202F}있습니다."),
        unknownHost: Message(
            title: "아직\u{202F}아무것도\u{202F}없습니다",
            text: "이\u{202F}주소에\u{202F}설정된\u{202F}링크가\u{202F}없습니다."),
        root: Message(
            title: "링크를\u{202F}여는\u{202F}데\u{202F}사용되는\u{202F}주소입니다",
            text: "여기에는\u{202F}페이지가\u{202F}없습니다.\u{202F}받은\u{202F}링크\u{202F}전체를\u{202F}사용하세요."),
        visitWebsite: "웹사이트\u{202F}방문")
}
