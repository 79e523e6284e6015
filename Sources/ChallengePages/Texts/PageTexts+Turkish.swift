extension PageTexts {
    static let turkish = PageTexts(
        title: "Uygulama doğrulaması",
        workingHeading: "Bir dakika",
        workingDetail: "Bu isteğin uygulamanızdan geldiği denetleniyor. Bir şey yapmanız gerekmiyor.",
        confirmDetail: "Lütfen bir insan olduğunuzu gösterin.",
        doneHeading: "Tamamlandı",
        doneDetail: "Artık uygulamaya dönebilirsiniz.",
        returnToApp: "Uygulamaya dön",
        cancelledHeading: "İptal edildi",
        failedHeading: "Bu olmadı",
        checkFailed: "Denetim geçilemedi. Bir kez daha deneyin.",
        networkFailed: "Sunucuya ulaşılamıyor. Bağlantınızı denetleyip yeniden deneyin.",
        serverFailed: "Sunucuda bir sorun var. Biraz sonra yeniden deneyin.",
        tooManyRequests: "Çok fazla deneme yapıldı. Birkaç dakika bekleyip yeniden deneyin.",
        tryAgain: "Yeniden dene",
        backToApp: "Uygulamaya geri git",
        cancel: "Vazgeç",
        noScript: "Bu sayfa için JavaScript gerekir. Tarayıcınızın ayarlarından açın ya da uygulamaya geri dönün.",
        notLoaded: "Bu sayfa yüklenemedi. Bağlantınızı denetleyin ya da daha yeni bir tarayıcı kullanın.",
        refusedHeading: "Bu bağlantı çalışmıyor",
        refusedDetail: "Bu sayfayı kapatabilirsiniz. Uygulamayı geliştirenler sorunu giderebilir:",
        unknownApp: "Bu uygulama sunucuda kayıtlı değil.",
        bundleIDMismatch: "Uygulamanın bundle ID’si kaydıyla eşleşmiyor.",
        schemeNotRegistered: "Bu client ID ya da app ID uygulama için kayıtlı değil.",
        malformed: "Bağlantı eksik ya da bozuk."
    )
}
