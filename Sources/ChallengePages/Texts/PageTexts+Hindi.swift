extension PageTexts {
    static let hindi = PageTexts(
        title: "ऐप का सत्यापन",
        workingHeading: "एक क्षण",
        workingDetail: "हम जाँच रहे हैं कि यह अनुरोध आपके ऐप से आया है। आपको कुछ नहीं करना है।",
        confirmDetail: "कृपया दिखाएँ कि आप एक इंसान हैं।",
        doneHeading: "हो गया",
        doneDetail: "अब आप ऐप पर लौट सकते हैं।",
        returnToApp: "ऐप पर लौटें",
        cancelledHeading: "रद्द किया गया",
        failedHeading: "यह नहीं हो सका",
        checkFailed: "जाँच सफल नहीं हुई। एक बार फिर कोशिश करें।",
        networkFailed: "सर्वर तक पहुँचा नहीं जा सका। अपना कनेक्शन जाँचें और फिर कोशिश करें।",
        serverFailed: "सर्वर में कोई समस्या है। थोड़ी देर में फिर कोशिश करें।",
        tooManyRequests: "बहुत अधिक कोशिशें हुईं। कुछ मिनट रुककर फिर कोशिश करें।",
        tryAgain: "फिर कोशिश करें",
        backToApp: "ऐप पर वापस जाएँ",
        cancel: "रद्द करें",
        noScript: "इस पेज को JavaScript चाहिए। इसे ब्राउज़र की सेटिंग में चालू करें या ऐप पर वापस जाएँ।",
        notLoaded: "यह पेज लोड नहीं हो सका। अपना कनेक्शन जाँचें या नया ब्राउज़र इस्तेमाल करें।",
        refusedHeading: "यह लिंक काम नहीं करता",
        refusedDetail: "आप यह पेज बंद कर सकते हैं। ऐप बनाने वाले इसे ठीक कर सकते हैं:",
        unknownApp: "यह ऐप सर्वर पर पंजीकृत नहीं है।",
        bundleIDMismatch: "ऐप की bundle ID उसके पंजीकरण से मेल नहीं खाती।",
        schemeNotRegistered: "यह client ID या app ID इस ऐप के लिए पंजीकृत नहीं है।",
        malformed: "लिंक अधूरा या ख़राब है।"
    )
}
