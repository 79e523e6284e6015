extension SharedText {
    var turkish: String {
        switch self {
        case .title: "Oturum aç"
        case .number: "Telefon numarası"
        case .country: "Ülke veya bölge"
        case .search: "Ara"
        case .noCountry: "Sonuç bulunamadı"
        case .send: "Kodu gönder"
        case .checking: "Robot olmadığınızı denetliyoruz…"
        case .codeTitle: "Kodu girin"
        case .codeSent: "{number} numarasına bir mesaj gönderdik."
        case .code: "Kod"
        case .verify: "Onayla"
        case .resend: "Yeniden gönder"
        case .resendIn: "{time} sonra yeniden gönder"
        case .resent: "Kodu yeniden gönderdik."
        case .callMe: "Bunun yerine beni arayın"
        case .sendBy: "{name} ile gönder"
        case .changeNumber: "Numarayı değiştir"
        case .email: "E-posta adresi"
        case .password: "Parola"
        case .usePassword: "E-posta ve parola kullan"
        case .usePhone: "Telefon numarası kullan"
        case .factorTitle: "Bir adım daha"
        case .factorChoice: "Kimliğinizi nasıl onaylamak istersiniz?"
        case .factorPhone: "{number} numarasına mesaj"
        case .factorApp: "Kimlik doğrulama uygulaması"
        case .appDetail: "Kimlik doğrulama uygulamanızı açıp gösterdiği kodu girin."
        case .recovery: "Kurtarma kodu"
        case .recoveryDetail: "Sakladığınız kurtarma kodlarından birini girin."
        case .otherWay: "Başka bir yolla onayla"
        case .startOver: "Baştan başla"
        case .doneTitle: "Oturumunuz açıldı"
        case .signOut: "Oturumu kapat"
        case .offline: "Çevrimdışısınız. Bağlantı geri gelince devam edeceğiz."
        case .invalidNumber: "Bu, geçerli bir telefon numarası değil."
        case .tooShort: "Bu telefon numarası çok kısa."
        case .tooLong: "Bu telefon numarası çok uzun."
        case .regionNotAllowed: "Bu ülkeye veya bölgeye mesaj gönderemiyoruz."
        case .notAllowed: "Bu oturum açma yolu kullanılamıyor."
        case .tooManyRequestsFor: "Çok fazla deneme. {time} sonra yeniden deneyin."
        case .secondFactorUser: "Bu numara ikinci bir adımla korunuyor. E-posta adresiniz ve parolanızla oturum açın."
        case .disabled: "Bu hesap devre dışı. Lütfen desteğe başvurun."
        case .wrongCode: "Bu kod doğru değil."
        case .attemptsLeft: "Kalan deneme: {number}"
        case .codeIncomplete: "Kod {number} rakamdan oluşur."
        case .codeExpired: "Bu kod artık geçerli değil. Yeni bir kod isteyin."
        case .attemptsSpent: "Çok fazla yanlış kod girildi. Yeni bir kod isteyin."
        case .wrongPassword: "E-posta adresi veya parola doğru değil."
        case .invalidEmail: "Bu, geçerli bir e-posta adresi değil."
        case .missing: "Lütfen bu alanı doldurun."
        case .numberRecycled: "Bu numara uzun süredir kullanılmadı. Lütfen başka bir yolla oturum açın."
        case .refused: "Uygulama bu oturuma izin vermedi."
        case .startAgain: "Bu çok uzun sürdü. Lütfen baştan başlayın."
        case .linkTitle: "Telefon numaranızı ekleyin"
        case .confirmTitle: "Kimliğinizi onaylayın"
        case .numberTaken: "Bu numara başka bir hesaba ait."
        case .otherAccount: "Bu, oturum açtığınız hesap değil."
        case .signInAgain: "Güvenliğiniz için lütfen önce yeniden oturum açın."
        case .factorExists: "Bu numara zaten ikinci adım."
        case .factorLimit: "Daha fazla ikinci adım eklenemez."
        case .unverifiedEmail: "İkinci adım eklemeden önce e-posta adresinizin onaylanması gerekir."
        case .reference: "Başvuru no. {reference}"
        case .confirm: "Lütfen bir insan olduğunuzu gösterin."
        case .networkFailed: "Sunucuya ulaşılamıyor. Bağlantınızı denetleyip yeniden deneyin."
        case .serverFailed: "Sunucuda bir sorun var. Biraz sonra yeniden deneyin."
        case .checkFailed: "Denetim geçilemedi. Bir kez daha deneyin."
        case .tooManyRequests: "Çok fazla deneme yapıldı. Birkaç dakika bekleyip yeniden deneyin."
        case .tryAgain: "Yeniden dene"
        case .forgotPassword: "Parolanızı mı unuttunuz?"
        case .resetSent:
            "{email} ile bir hesap varsa bu adrese bir e-posta gönderdik. Devam etmek için e-postadaki bağlantıyı açın."
        case .linkSent: "{email} adresine bir e-posta gönderdik. Devam etmek için e-postadaki bağlantıyı açın."
        case .sendLink: "Bağlantı gönder"
        case .useLink: "E-postadaki bağlantıyla oturum aç"
        case .linkExpired: "Bu bağlantı artık geçerli değil. Yeni bir bağlantı isteyin."
        case .emailTaken: "Bu e-posta adresi başka bir hesaba ait."
        case .workingHeading: "Bir dakika"
        case .cancel: "Vazgeç"
        case .notice: "Size kod içeren bir mesaj göndereceğiz. Operatörünüz bunun için ücret alabilir."
        case .notSaved: "Oturum bu cihaza kaydedilemedi. Yeniden deneyin."
        }
    }
}

extension PageText {
    var turkish: String {
        switch self {
        case .accountTitle: "Hesabınız"
        case .name: "Ad"
        case .sessions: "Oturumlarınızın açık olduğu yerler"
        case .thisSession: "Bu cihaz"
        case .unknownDevice: "Bilinmeyen cihaz"
        case .signedInAt: "Oturum açma: {time}"
        case .usedAt: "Son kullanım: {time}"
        case .otherNetwork: "Son kullanım, oturum açılan ağdan başka bir ağdan"
        case .endSession: "Oturumu sonlandır"
        case .sessionEnded: "Oturum sonlandırıldı."
        case .signOutEverywhere: "Her yerde oturumu kapat"
        case .everywhereDetail: "Burası da dahil tüm cihazlardaki oturumlarınız sonlanır."
        case .secondSteps: "İkinci adım"
        case .secondStepsDetail: "Oturum açarken parolanızın yanında bunlardan birini isteriz."
        case .noSecondStep: "İkinci adım varsa oturum açmak için yalnızca parolanız yetmez."
        case .addedAt: "Eklenme: {time}"
        case .remove: "Kaldır"
        case .removeTitle: "Bu ikinci adım kaldırılsın mı?"
        case .removeDetail: "Oturum açarken artık istenmez. Diğer cihazlardaki oturumlarınız sonlanır."
        case .factorRemoved: "İkinci adım kaldırıldı."
        case .addPhone: "Telefon numarası ekle"
        case .addApp: "Kimlik doğrulama uygulaması ekle"
        case .newCodes: "Yeni kurtarma kodları"
        case .newCodesDetail: "On yeni kod alırsınız. Şimdiki kodlarınız geçersiz olur."
        case .scan: "Bu kodu kimlik doğrulama uygulamanızla tarayın, sonra uygulamanın gösterdiği kodu girin."
        case .qrCode: "Kimlik doğrulama uygulamanız için QR kodu"
        case .keyDetail: "Ya da bu anahtarı uygulamaya girin:"
        case .copy: "Kopyala"
        case .copied: "Kopyalandı"
        case .factorAdded: "İkinci adım eklendi."
        case .codesTitle: "Kurtarma kodlarınız"
        case .codesDetail:
            "Telefonunuzu kaybederseniz bu kodların her biri ikinci adımın yerine bir kez geçer. Güvenli bir yerde saklayın: yalnızca şimdi gösterilir."
        case .codesSaved: "Kodları sakladım"
        case .deleteAccount: "Hesabı sil"
        case .deleteTitle: "Hesabınız silinsin mi?"
        case .deleteDetail: "Hesabınız kalıcı olarak silinir. Bu geri alınamaz."
        case .deleted: "Hesabınız silindi."
        case .sessionOver: "Oturumunuz sona erdi. Lütfen yeniden oturum açın."
        case .verifyEmail: "E\u{2011}posta adresinizi onaylayın"
        case .linkOpened: "Bağlantıyı açtım"
        case .changeEmail: "E-posta adresini değiştir"
        case .addEmail: "E-posta adresi ekle"
        case .emailConfirmed: "E-posta adresiniz onaylandı."
        case .verificationTitle: "Uygulama doğrulaması"
        case .workingDetail: "Bu isteğin uygulamanızdan geldiği denetleniyor. Bir şey yapmanız gerekmiyor."
        case .doneHeading: "Tamamlandı"
        case .doneDetail: "Artık uygulamaya dönebilirsiniz."
        case .returnToApp: "Uygulamaya dön"
        case .cancelledHeading: "İptal edildi"
        case .failedHeading: "Bu olmadı"
        case .backToApp: "Uygulamaya geri git"
        case .noScript: "Bu sayfa için JavaScript gerekir. Tarayıcınızın ayarlarından açın ya da uygulamaya geri dönün."
        case .notLoaded: "Bu sayfa yüklenemedi. Bağlantınızı denetleyin ya da daha yeni bir tarayıcı kullanın."
        case .refusedHeading: "Bu bağlantı çalışmıyor"
        case .refusedDetail: "Bu sayfayı kapatabilirsiniz. Uygulamayı geliştirenler sorunu giderebilir:"
        case .unknownApp: "Bu uygulama sunucuda kayıtlı değil."
        case .bundleIDMismatch: "Uygulamanın bundle ID’si kaydıyla eşleşmiyor."
        case .schemeNotRegistered: "Bu client ID ya da app ID uygulama için kayıtlı değil."
        case .malformed: "Bağlantı eksik ya da bozuk."
        case .resetTitle: "Yeni bir parola seçin"
        case .newPassword: "Yeni parola"
        case .showPassword: "Parolayı göster"
        case .weakPassword: "En az {number} karakter kullanın."
        case .recoverTitle: "E\u{2011}posta adresinizi geri alın"
        case .passwordChanged: "Parolanız değiştirildi."
        case .emailRestored: "E-posta adresiniz geri alındı. Adresi siz değiştirmediyseniz yeni bir parola da seçin."
        }
    }
}

extension MessageWording {
    static let turkish = MessageWording(
        named: "{code}, {app} doğrulama kodunuz. Kimseyle paylaşmayın.",
        unnamed: "{code}, doğrulama kodunuz. Kimseyle paylaşmayın.",
        brieflyNamed: "{code}, {app} kodunuz.",
        brieflyUnnamed: "{code}, doğrulama kodunuz."
    )
}

extension MailWording {
    static let turkish = MailWording(
        resetPassword: Phrase(
            "Parolanızı sıfırlayın",
            "{email} için yeni bir parola seçmek üzere bu bağlantıyı kullanın:"
        ),
        verifyEmail: Phrase(
            "E-posta adresinizi doğrulayın",
            "{email} adresinin size ait olduğunu doğrulamak için bu bağlantıyı kullanın:"
        ),
        signIn: Phrase("Oturum açma bağlantınız", "{email} olarak oturum açmak için bu bağlantıyı kullanın:"),
        changeEmail: Phrase(
            "Yeni e-posta adresinizi onaylayın",
            "{newEmail} adresini hesabınızın adresi yapmak için bu bağlantıyı kullanın:"
        ),
        recoverEmail: Phrase(
            "E-posta adresiniz değiştirildi",
            "Hesabınızın adresi artık {newEmail}. Bunu siz yapmadıysanız {email} adresini geri almak için bu bağlantıyı kullanın:"
        ),
        unrequested: "Bunu siz istemediyseniz bu e-postayı dikkate almayın."
    )
}
