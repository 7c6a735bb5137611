import Testing
import WaymarkAssociation

@Suite struct CertificateFingerprintTests {
    @Test func takesCapitals() {
        #expect(CertificateFingerprint(fingerprint("A9"))?.text == fingerprint("A9"))
    }

    @Test func writesSmallLettersAsCapitals() {
        #expect(CertificateFingerprint(fingerprint("af"))?.text == fingerprint("AF"))
        #expect(CertificateFingerprint(fingerprint("af")) == CertificateFingerprint(fingerprint("AF")))
    }

    @Test(arguments: [
        "", "AB", "AB:CD:…", fingerprint("AB") + ":", fingerprint("AB") + ":AB", ":" + fingerprint("AB"),
        String(fingerprint("AB").dropLast()), String(fingerprint("AB").dropLast(3)), fingerprint("AG"),
        fingerprint("A"),
        fingerprint("AB").replacing(":", with: ""), fingerprint("AB").replacing(":", with: "-"),
        fingerprint("AB").replacing(":", with: " "), fingerprint(":A"), fingerprint("A:"), fingerprint("Ａ"),
        "SHA256:" + fingerprint("AB"), fingerprint("AB") + "\n", String(repeating: "A", count: 95),
    ])
    func refusesEveryOtherForm(text: String) {
        #expect(CertificateFingerprint(text) == nil)
    }
}
