extension PageTexts {
    static let indonesian = PageTexts(
        title: "Verifikasi aplikasi",
        workingHeading: "Tunggu sebentar",
        workingDetail: "Kami memeriksa apakah permintaan ini berasal dari aplikasi Anda. Tunggu saja.",
        confirmDetail: "Tunjukkan bahwa Anda manusia.",
        doneHeading: "Selesai",
        doneDetail: "Anda sekarang dapat kembali ke aplikasi.",
        returnToApp: "Kembali ke aplikasi",
        cancelledHeading: "Dibatalkan",
        failedHeading: "Tidak berhasil",
        checkFailed: "Pemeriksaan tidak lolos. Coba sekali lagi.",
        networkFailed: "Server tidak dapat dijangkau. Periksa koneksi Anda, lalu coba lagi.",
        serverFailed: "Server sedang bermasalah. Coba lagi sebentar lagi.",
        tooManyRequests: "Terlalu banyak percobaan. Tunggu beberapa menit, lalu coba lagi.",
        tryAgain: "Coba lagi",
        backToApp: "Balik ke aplikasi",
        cancel: "Batal",
        noScript: "Halaman ini memerlukan JavaScript. Aktifkan di setelan browser, atau kembali ke aplikasi.",
        notLoaded: "Halaman ini tidak dapat dimuat. Periksa koneksi Anda atau gunakan browser yang lebih baru.",
        refusedHeading: "Tautan ini tidak berfungsi",
        refusedDetail: "Anda dapat menutup halaman ini. Pengembang aplikasi dapat memperbaikinya:",
        unknownApp: "Aplikasi ini tidak terdaftar di server.",
        bundleIDMismatch: "Bundle ID aplikasi tidak cocok dengan pendaftarannya.",
        schemeNotRegistered: "Client ID atau app ID ini tidak terdaftar untuk aplikasi.",
        malformed: "Tautan tidak lengkap atau rusak."
    )
}
