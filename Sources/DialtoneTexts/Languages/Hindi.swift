extension SharedText {
    var hindi: String {
        switch self {
        case .title: "साइन इन करें"
        case .number: "फ़ोन नंबर"
        case .country: "देश या क्षेत्र"
        case .search: "खोजें"
        case .noCountry: "कुछ नहीं मिला"
        case .send: "कोड भेजें"
        case .checking: "जाँच रहे हैं कि आप रोबोट नहीं हैं…"
        case .codeTitle: "कोड डालें"
        case .codeSent: "हमने {number} पर एक संदेश भेजा है।"
        case .code: "कोड"
        case .verify: "पुष्टि करें"
        case .resend: "फिर से भेजें"
        case .resendIn: "{time} में फिर से भेजें"
        case .resent: "हमने कोड फिर से भेजा है।"
        case .callMe: "इसके बजाय मुझे कॉल करें"
        case .sendBy: "{name} से भेजें"
        case .changeNumber: "नंबर बदलें"
        case .email: "ईमेल पता"
        case .password: "पासवर्ड"
        case .usePassword: "ईमेल और पासवर्ड का उपयोग करें"
        case .usePhone: "फ़ोन नंबर का उपयोग करें"
        case .factorTitle: "एक और चरण"
        case .factorChoice: "आप अपनी पहचान की पुष्टि कैसे करना चाहते हैं?"
        case .factorPhone: "{number} पर संदेश"
        case .factorApp: "ऑथेंटिकेटर ऐप"
        case .appDetail: "अपना ऑथेंटिकेटर ऐप खोलें और उसमें दिख रहा कोड डालें।"
        case .recovery: "रिकवरी कोड"
        case .recoveryDetail: "अपने सहेजे हुए रिकवरी कोड में से एक डालें।"
        case .otherWay: "दूसरे तरीके से पुष्टि करें"
        case .startOver: "फिर से शुरू करें"
        case .doneTitle: "आपने साइन इन कर लिया है"
        case .signOut: "साइन आउट करें"
        case .offline: "आप ऑफ़लाइन हैं। कनेक्शन लौटते ही हम आगे बढ़ेंगे।"
        case .invalidNumber: "यह फ़ोन नंबर मान्य नहीं है।"
        case .tooShort: "यह फ़ोन नंबर बहुत छोटा है।"
        case .tooLong: "यह फ़ोन नंबर बहुत लंबा है।"
        case .regionNotAllowed: "हम इस देश या क्षेत्र में संदेश नहीं भेज सकते।"
        case .notAllowed: "साइन इन करने का यह तरीका उपलब्ध नहीं है।"
        case .tooManyRequestsFor: "बहुत ज़्यादा कोशिशें हुईं। {time} बाद फिर कोशिश करें।"
        case .secondFactorUser: "यह नंबर दूसरे चरण से सुरक्षित है। अपने ईमेल पते और पासवर्ड से साइन इन करें।"
        case .disabled: "यह खाता बंद है। कृपया सहायता टीम से संपर्क करें।"
        case .wrongCode: "यह कोड सही नहीं है।"
        case .attemptsLeft: "बची हुई कोशिशें: {number}"
        case .codeIncomplete: "कोड में {number} अंक होते हैं।"
        case .codeExpired: "यह कोड अब मान्य नहीं है। नया कोड मँगाएँ।"
        case .attemptsSpent: "बहुत सारे गलत कोड डाले गए। नया कोड मँगाएँ।"
        case .wrongPassword: "ईमेल पता या पासवर्ड सही नहीं है।"
        case .invalidEmail: "यह ईमेल पता मान्य नहीं है।"
        case .missing: "कृपया यह फ़ील्ड भरें।"
        case .numberRecycled: "इस नंबर का लंबे समय से उपयोग नहीं हुआ है। कृपया दूसरे तरीके से साइन इन करें।"
        case .refused: "ऐप ने इस साइन इन की अनुमति नहीं दी।"
        case .startAgain: "बहुत समय लग गया। कृपया फिर से शुरू करें।"
        case .linkTitle: "अपना फ़ोन नंबर जोड़ें"
        case .confirmTitle: "अपनी पहचान की पुष्टि करें"
        case .numberTaken: "यह नंबर किसी दूसरे खाते का है।"
        case .otherAccount: "यह वह खाता नहीं है जिसमें आपने साइन इन किया है।"
        case .signInAgain: "अपनी सुरक्षा के लिए, कृपया पहले फिर से साइन इन करें।"
        case .factorExists: "यह नंबर पहले से दूसरा चरण है।"
        case .factorLimit: "और दूसरे चरण नहीं जोड़े जा सकते।"
        case .unverifiedEmail: "दूसरा चरण जोड़ने से पहले आपके ईमेल पते की पुष्टि ज़रूरी है।"
        case .reference: "संदर्भ {reference}"
        case .confirm: "कृपया दिखाएँ कि आप एक इंसान हैं।"
        case .networkFailed: "सर्वर तक पहुँचा नहीं जा सका। अपना कनेक्शन जाँचें और फिर कोशिश करें।"
        case .serverFailed: "सर्वर में कोई समस्या है। थोड़ी देर में फिर कोशिश करें।"
        case .checkFailed: "जाँच सफल नहीं हुई। एक बार फिर कोशिश करें।"
        case .tooManyRequests: "बहुत अधिक कोशिशें हुईं। कुछ मिनट रुककर फिर कोशिश करें।"
        case .tryAgain: "फिर कोशिश करें"
        case .forgotPassword: "पासवर्ड भूल गए?"
        case .resetSent:
            "अगर {email} का कोई खाता है, तो हमने उस पर ईमेल भेजा है। जारी रखने के लिए उसमें दिया लिंक खोलें।"
        case .linkSent: "हमने {email} पर ईमेल भेजा है। जारी रखने के लिए उसमें दिया लिंक खोलें।"
        case .sendLink: "लिंक भेजें"
        case .useLink: "ईमेल के लिंक से साइन इन करें"
        case .linkExpired: "यह लिंक अब मान्य नहीं है। नया लिंक मँगाएँ।"
        case .emailTaken: "यह ईमेल पता किसी दूसरे खाते का है।"
        case .workingHeading: "एक क्षण"
        case .cancel: "रद्द करें"
        case .notice: "हम आपको कोड वाला एक संदेश भेजेंगे। आपकी मोबाइल कंपनी इसका शुल्क ले सकती है।"
        case .notSaved: "इस डिवाइस पर साइन इन सहेजा नहीं जा सका। फिर से कोशिश करें।"
        }
    }
}

extension PageText {
    var hindi: String {
        switch self {
        case .accountTitle: "आपका खाता"
        case .name: "नाम"
        case .sessions: "आपने कहाँ साइन इन किया है"
        case .thisSession: "यह डिवाइस"
        case .unknownDevice: "अज्ञात डिवाइस"
        case .signedInAt: "साइन इन: {time}"
        case .usedAt: "पिछला इस्तेमाल: {time}"
        case .otherNetwork: "पिछला इस्तेमाल साइन इन वाले नेटवर्क से अलग नेटवर्क से हुआ"
        case .endSession: "सत्र समाप्त करें"
        case .sessionEnded: "सत्र समाप्त हो गया।"
        case .signOutEverywhere: "हर जगह से साइन आउट करें"
        case .everywhereDetail: "इससे सभी डिवाइस पर आपके सत्र समाप्त हो जाते हैं, यहाँ भी।"
        case .secondSteps: "दूसरा चरण"
        case .secondStepsDetail: "साइन इन करते समय पासवर्ड के अलावा हम इनमें से एक माँगते हैं।"
        case .noSecondStep: "दूसरे चरण के साथ, साइन इन करने के लिए सिर्फ़ आपका पासवर्ड काफ़ी नहीं होता।"
        case .addedAt: "जोड़ा गया: {time}"
        case .remove: "हटाएँ"
        case .removeTitle: "यह दूसरा चरण हटाएँ?"
        case .removeDetail: "साइन इन करते समय हम इसे नहीं माँगेंगे। दूसरे डिवाइस पर आपके सत्र समाप्त हो जाएँगे।"
        case .factorRemoved: "दूसरा चरण हटा दिया गया।"
        case .addPhone: "फ़ोन नंबर जोड़ें"
        case .addApp: "ऑथेंटिकेटर ऐप जोड़ें"
        case .newCodes: "नए रिकवरी कोड"
        case .newCodesDetail: "आपको दस नए कोड मिलेंगे। आपके मौजूदा कोड काम करना बंद कर देंगे।"
        case .scan: "इस कोड को अपने ऑथेंटिकेटर ऐप से स्कैन करें, फिर ऐप में दिख रहा कोड डालें।"
        case .qrCode: "आपके ऑथेंटिकेटर ऐप के लिए QR कोड"
        case .keyDetail: "या ऐप में यह कुंजी डालें:"
        case .copy: "कॉपी करें"
        case .copied: "कॉपी किया गया"
        case .factorAdded: "दूसरा चरण जोड़ दिया गया।"
        case .codesTitle: "आपके रिकवरी कोड"
        case .codesDetail:
            "अगर आपका फ़ोन खो जाए, तो इनमें से हर कोड एक बार दूसरे चरण की जगह काम आता है। इन्हें सुरक्षित जगह रखें: ये सिर्फ़ अभी दिखाए जा रहे हैं।"
        case .codesSaved: "मैंने कोड सहेज लिए हैं"
        case .deleteAccount: "खाता मिटाएँ"
        case .deleteTitle: "अपना खाता मिटाएँ?"
        case .deleteDetail: "आपका खाता हमेशा के लिए मिटा दिया जाएगा। इसे वापस नहीं लाया जा सकता।"
        case .deleted: "आपका खाता मिटा दिया गया।"
        case .sessionOver: "आपका सत्र समाप्त हो गया है। कृपया फिर से साइन इन करें।"
        case .verifyEmail: "अपने ईमेल पते की पुष्टि करें"
        case .linkOpened: "मैंने लिंक खोल लिया है"
        case .changeEmail: "ईमेल पता बदलें"
        case .addEmail: "ईमेल पता जोड़ें"
        case .emailConfirmed: "आपके ईमेल पते की पुष्टि हो गई है।"
        case .verificationTitle: "ऐप का सत्यापन"
        case .workingDetail: "हम जाँच रहे हैं कि यह अनुरोध आपके ऐप से आया है। आपको कुछ नहीं करना है।"
        case .doneHeading: "हो गया"
        case .doneDetail: "अब आप ऐप पर लौट सकते हैं।"
        case .returnToApp: "ऐप पर लौटें"
        case .cancelledHeading: "रद्द किया गया"
        case .failedHeading: "यह नहीं हो सका"
        case .backToApp: "ऐप पर वापस जाएँ"
        case .noScript: "इस पेज को JavaScript चाहिए। इसे ब्राउज़र की सेटिंग में चालू करें या ऐप पर वापस जाएँ।"
        case .notLoaded: "यह पेज लोड नहीं हो सका। अपना कनेक्शन जाँचें या नया ब्राउज़र इस्तेमाल करें।"
        case .refusedHeading: "यह लिंक काम नहीं करता"
        case .refusedDetail: "आप यह पेज बंद कर सकते हैं। ऐप बनाने वाले इसे ठीक कर सकते हैं:"
        case .unknownApp: "यह ऐप सर्वर पर पंजीकृत नहीं है।"
        case .bundleIDMismatch: "ऐप की bundle ID उसके पंजीकरण से मेल नहीं खाती।"
        case .schemeNotRegistered: "यह client ID या app ID इस ऐप के लिए पंजीकृत नहीं है।"
        case .malformed: "लिंक अधूरा या ख़राब है।"
        case .resetTitle: "नया पासवर्ड चुनें"
        case .newPassword: "नया पासवर्ड"
        case .showPassword: "पासवर्ड दिखाएँ"
        case .weakPassword: "कम से कम {number} वर्णों का उपयोग करें।"
        case .recoverTitle: "अपना ईमेल पता वापस लाएँ"
        case .passwordChanged: "आपका पासवर्ड बदल दिया गया है।"
        case .emailRestored: "आपका ईमेल पता वापस लाया गया है। अगर आपने इसे खुद नहीं बदला था, तो नया पासवर्ड भी चुनें।"
        }
    }
}

// A letter takes three bytes in UTF-8: the brief forms fit SMS Retriever's 140 bytes.
extension MessageWording {
    static let hindi = MessageWording(
        named: "{code} आपका {app} सत्यापन कोड है। इसे किसी को न बताएं।",
        unnamed: "{code} आपका सत्यापन कोड है। इसे किसी को न बताएं।",
        brieflyNamed: "{code} आपका {app} कोड है।",
        brieflyUnnamed: "{code} आपका सत्यापन कोड है।"
    )
}

extension MailWording {
    static let hindi = MailWording(
        resetPassword: Phrase(
            "अपना पासवर्ड रीसेट करें",
            "{email} के लिए नया पासवर्ड चुनने के लिए इस लिंक का उपयोग करें:"
        ),
        verifyEmail: Phrase(
            "अपने ईमेल पते की पुष्टि करें",
            "{email} आपका पता है, इसकी पुष्टि करने के लिए इस लिंक का उपयोग करें:"
        ),
        signIn: Phrase("आपका साइन-इन लिंक", "{email} के रूप में साइन इन करने के लिए इस लिंक का उपयोग करें:"),
        changeEmail: Phrase(
            "अपने नए ईमेल पते की पुष्टि करें",
            "{newEmail} को अपने खाते का पता बनाने के लिए इस लिंक का उपयोग करें:"
        ),
        recoverEmail: Phrase(
            "आपका ईमेल पता बदल गया है",
            "आपके खाते का पता अब {newEmail} है। अगर आपने इसे नहीं बदला, तो {email} को वापस लाने के लिए इस लिंक का उपयोग करें:"
        ),
        unrequested: "अगर आपने इसका अनुरोध नहीं किया, तो आप इस ईमेल को अनदेखा कर सकते हैं।"
    )
}
