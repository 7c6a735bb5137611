extension PageTexts {
    static let korean = PageTexts(
        openIn: "{app}에서 열기",
        openApp: "앱 열기",
        opensInApp: "이 링크는 앱에서 열립니다.",
        getApp: "앱 받기",
        continueInBrowser: "브라우저에서 계속",
        continueAfterInstall: "이어서 계속하기",
        continueExplained:
            "앱을 설치한 후 여기에서 이어서 볼 수 있도록 이 링크를 복사합니다.",
        insideAnotherApp:
            "반응이 없나요? 이 페이지가 다른 앱 안에서 열려 있습니다. 해당 앱의 메뉴에서 ‘브라우저에서 열기’를 선택하거나 링크를 복사하여 브라우저에 붙여넣으세요.",
        copyLink: "링크 복사",
        copied: "복사했습니다. 이제 브라우저를 여세요.",
        copyByHand: "이 링크를 복사하세요: {link}",
        proceed: "계속",
        oneMoment: "잠시만 기다려 주세요…",
        openOnPhone: "휴대전화에서 이 링크를 여세요",
        scanCode: "휴대전화 카메라로 이 코드를 스캔하세요.",
        whereItLeads: "이 링크가 연결되는 곳",
        onThisDevice: "이 기기",
        onOtherDevices: "다른 기기",
        app: "앱",
        store: "스토어",
        web: "웹",
        qrCode: "이 링크의 QR 코드",
        isProtected: "비밀번호로 보호된 링크입니다",
        enterPassword: "계속하려면 비밀번호를 입력하세요.",
        password: "비밀번호",
        wrongPassword: "비밀번호가 올바르지 않습니다. 다시 시도해 주세요.",
        expired: Message(
            title: "만료된 링크입니다",
            text:
                "더 이상 사용할 수 없습니다. 링크를 보낸 사람에게 새 링크를 요청하세요."
        ),
        exhausted: Message(
            title: "더 이상 사용할 수 없는 링크입니다",
            text: "링크를 열 수 있는 횟수를 모두 사용했습니다."),
        disabled: Message(title: "비활성화된 링크입니다", text: "소유자가 이 링크를 비활성화했습니다."),
        scheduled: Message(
            title: "아직 활성화되지 않은 링크입니다",
            text: "나중에 다시 시도해 주세요."),
        notFound: Message(
            title: "페이지를 찾을 수 없습니다",
            text: "링크가 완전하지 않거나 삭제되었을 수 있습니다."),
        unavailable: Message(
            title: "문제가 발생했습니다",
            text:
                "지금은 이 링크를 열 수 없습니다. 1분 후에 다시 시도해 주세요."
        ),
        tooManyRequests: Message(
            title: "요청이 너무 많습니다",
            text: "1분 정도 기다린 후 다시 시도해 주세요."),
        malformed: Message(
            title: "올바르지 않은 주소입니다",
            text: "주소에 오타가 있을 수 있습니다."),
        unknownHost: Message(
            title: "아직 아무것도 없습니다",
            text: "이 주소에 설정된 링크가 없습니다."),
        root: Message(
            title: "링크를 여는 데 사용되는 주소입니다",
            text: "여기에는 페이지가 없습니다. 받은 링크 전체를 사용하세요."),
        visitWebsite: "웹사이트 방문")
}
