extension SharedText {
    var indonesian: String {
        switch self {
        case .title: "Masuk"
        case .number: "Nomor telepon"
        case .country: "Negara atau wilayah"
        case .search: "Cari"
        case .noCountry: "Tidak ditemukan"
        case .send: "Kirim kode"
        case .checking: "Memeriksa bahwa Anda bukan robot…"
        case .codeTitle: "Masukkan kode"
        case .codeSent: "Kami mengirim pesan ke {number}."
        case .code: "Kode"
        case .verify: "Konfirmasi"
        case .resend: "Kirim lagi"
        case .resendIn: "Kirim lagi dalam {time}"
        case .resent: "Kami sudah mengirim kode lagi."
        case .callMe: "Telepon saya saja"
        case .sendBy: "Kirim lewat {name}"
        case .changeNumber: "Ganti nomor"
        case .email: "Alamat email"
        case .password: "Kata sandi"
        case .usePassword: "Gunakan email dan kata sandi"
        case .usePhone: "Gunakan nomor telepon"
        case .factorTitle: "Satu langkah lagi"
        case .factorChoice: "Bagaimana Anda ingin mengonfirmasi bahwa ini Anda?"
        case .factorPhone: "Pesan ke {number}"
        case .factorApp: "Aplikasi autentikator"
        case .appDetail: "Buka aplikasi autentikator Anda dan masukkan kode yang ditampilkan."
        case .recovery: "Kode pemulihan"
        case .recoveryDetail: "Masukkan salah satu kode pemulihan yang Anda simpan."
        case .otherWay: "Konfirmasi dengan cara lain"
        case .startOver: "Mulai dari awal"
        case .doneTitle: "Anda sudah masuk"
        case .signOut: "Keluar"
        case .offline: "Anda sedang offline. Kami melanjutkan setelah koneksi kembali."
        case .invalidNumber: "Ini bukan nomor telepon yang valid."
        case .tooShort: "Nomor telepon ini terlalu pendek."
        case .tooLong: "Nomor telepon ini terlalu panjang."
        case .regionNotAllowed: "Kami tidak dapat mengirim pesan ke negara atau wilayah ini."
        case .notAllowed: "Cara masuk ini tidak tersedia."
        case .tooManyRequestsFor: "Terlalu banyak percobaan. Coba lagi dalam {time}."
        case .secondFactorUser: "Nomor ini dilindungi langkah kedua. Masuklah dengan alamat email dan kata sandi Anda."
        case .disabled: "Akun ini dinonaktifkan. Silakan hubungi bagian dukungan."
        case .wrongCode: "Kode ini tidak benar."
        case .attemptsLeft: "Sisa percobaan: {number}"
        case .codeIncomplete: "Kode terdiri dari {number} angka."
        case .codeExpired: "Kode ini tidak berlaku lagi. Minta kode baru."
        case .attemptsSpent: "Terlalu banyak kode yang salah. Minta kode baru."
        case .wrongPassword: "Alamat email atau kata sandi tidak benar."
        case .invalidEmail: "Ini bukan alamat email yang valid."
        case .missing: "Harap isi kolom ini."
        case .numberRecycled: "Nomor ini sudah lama tidak digunakan. Silakan masuk dengan cara lain."
        case .refused: "Aplikasi tidak mengizinkan proses masuk ini."
        case .startAgain: "Ini terlalu lama. Silakan mulai dari awal."
        case .linkTitle: "Tambahkan nomor telepon Anda"
        case .confirmTitle: "Konfirmasi bahwa ini Anda"
        case .numberTaken: "Nomor ini milik akun lain."
        case .otherAccount: "Ini bukan akun yang sedang Anda gunakan."
        case .signInAgain: "Demi keamanan Anda, silakan masuk lagi terlebih dahulu."
        case .factorExists: "Nomor ini sudah menjadi langkah kedua."
        case .factorLimit: "Langkah kedua tidak dapat ditambah lagi."
        case .unverifiedEmail: "Alamat email Anda harus dikonfirmasi sebelum Anda dapat menambahkan langkah kedua."
        case .reference: "Referensi {reference}"
        case .confirm: "Tunjukkan bahwa Anda manusia."
        case .networkFailed: "Server tidak dapat dijangkau. Periksa koneksi Anda, lalu coba lagi."
        case .serverFailed: "Server sedang bermasalah. Coba lagi sebentar lagi."
        case .checkFailed: "Pemeriksaan tidak lolos. Coba sekali lagi."
        case .tooManyRequests: "Terlalu banyak percobaan. Tunggu beberapa menit, lalu coba lagi."
        case .tryAgain: "Coba lagi"
        case .forgotPassword: "Lupa kata sandi?"
        case .resetSent:
            "Jika {email} memiliki akun, kami telah mengirim email ke alamat itu. Buka tautan di dalamnya untuk melanjutkan."
        case .linkSent: "Kami telah mengirim email ke {email}. Buka tautan di dalamnya untuk melanjutkan."
        case .sendLink: "Kirim tautan"
        case .useLink: "Masuk dengan tautan lewat email"
        case .linkExpired: "Tautan ini tidak berlaku lagi. Minta tautan baru."
        case .emailTaken: "Alamat email ini milik akun lain."
        case .workingHeading: "Tunggu sebentar"
        case .cancel: "Batal"
        case .notice: "Kami akan mengirim pesan berisi kode. Operator Anda mungkin mengenakan biaya."
        case .notSaved: "Proses masuk tidak dapat disimpan di perangkat ini. Coba lagi."
        }
    }
}

extension PageText {
    var indonesian: String {
        switch self {
        case .accountTitle: "Akun Anda"
        case .name: "Nama"
        case .sessions: "Tempat Anda masuk"
        case .thisSession: "Perangkat ini"
        case .unknownDevice: "Perangkat tidak dikenal"
        case .signedInAt: "Masuk pada {time}"
        case .usedAt: "Terakhir digunakan pada {time}"
        case .otherNetwork: "Terakhir digunakan dari jaringan lain daripada saat masuk"
        case .endSession: "Akhiri sesi"
        case .sessionEnded: "Sesi telah berakhir."
        case .signOutEverywhere: "Keluar di semua tempat"
        case .everywhereDetail: "Ini mengakhiri sesi Anda di semua perangkat, termasuk di sini."
        case .secondSteps: "Langkah kedua"
        case .secondStepsDetail: "Saat Anda masuk, selain kata sandi kami meminta salah satu dari ini."
        case .noSecondStep: "Dengan langkah kedua, kata sandi saja tidak cukup untuk masuk."
        case .addedAt: "Ditambahkan pada {time}"
        case .remove: "Hapus"
        case .removeTitle: "Hapus langkah kedua ini?"
        case .removeDetail: "Kami tidak akan memintanya lagi saat Anda masuk. Sesi Anda di perangkat lain berakhir."
        case .factorRemoved: "Langkah kedua telah dihapus."
        case .addPhone: "Tambahkan nomor telepon"
        case .addApp: "Tambahkan aplikasi autentikator"
        case .newCodes: "Kode pemulihan baru"
        case .newCodesDetail: "Anda mendapat sepuluh kode baru. Kode yang sekarang tidak berlaku lagi."
        case .scan: "Pindai kode ini dengan aplikasi autentikator Anda, lalu masukkan kode yang ditampilkannya."
        case .qrCode: "Kode QR untuk aplikasi autentikator Anda"
        case .keyDetail: "Atau masukkan kunci ini di aplikasi:"
        case .copy: "Salin"
        case .copied: "Disalin"
        case .factorAdded: "Langkah kedua telah ditambahkan."
        case .codesTitle: "Kode pemulihan Anda"
        case .codesDetail:
            "Jika ponsel Anda hilang, setiap kode ini menggantikan langkah kedua satu kali. Simpan di tempat aman: kode hanya ditampilkan sekarang."
        case .codesSaved: "Saya sudah menyimpan kode"
        case .deleteAccount: "Hapus akun"
        case .deleteTitle: "Hapus akun Anda?"
        case .deleteDetail: "Akun Anda dihapus selamanya. Ini tidak dapat dibatalkan."
        case .deleted: "Akun Anda telah dihapus."
        case .sessionOver: "Sesi Anda telah berakhir. Silakan masuk lagi."
        case .verifyEmail: "Konfirmasi alamat email Anda"
        case .linkOpened: "Saya sudah membuka tautan"
        case .changeEmail: "Ganti alamat email"
        case .addEmail: "Tambahkan alamat email"
        case .emailConfirmed: "Alamat email Anda telah dikonfirmasi."
        case .verificationTitle: "Verifikasi aplikasi"
        case .workingDetail: "Kami memeriksa apakah permintaan ini berasal dari aplikasi Anda. Tunggu saja."
        case .doneHeading: "Selesai"
        case .doneDetail: "Anda sekarang dapat kembali ke aplikasi."
        case .returnToApp: "Kembali ke aplikasi"
        case .cancelledHeading: "Dibatalkan"
        case .failedHeading: "Tidak berhasil"
        case .backToApp: "Balik ke aplikasi"
        case .noScript: "Halaman ini memerlukan JavaScript. Aktifkan di setelan browser, atau kembali ke aplikasi."
        case .notLoaded: "Halaman ini tidak dapat dimuat. Periksa koneksi Anda atau gunakan browser yang lebih baru."
        case .refusedHeading: "Tautan ini tidak berfungsi"
        case .refusedDetail: "Anda dapat menutup halaman ini. Pengembang aplikasi dapat memperbaikinya:"
        case .unknownApp: "Aplikasi ini tidak terdaftar di server."
        case .bundleIDMismatch: "Bundle ID aplikasi tidak cocok dengan pendaftarannya."
        case .schemeNotRegistered: "Client ID atau app ID ini tidak terdaftar untuk aplikasi."
        case .malformed: "Tautan tidak lengkap atau rusak."
        case .resetTitle: "Pilih kata sandi baru"
        case .newPassword: "Kata sandi baru"
        case .showPassword: "Tampilkan kata sandi"
        case .weakPassword: "Gunakan setidaknya {number} karakter."
        case .recoverTitle: "Pulihkan alamat email Anda"
        case .passwordChanged: "Kata sandi Anda telah diganti."
        case .emailRestored:
            "Alamat email Anda telah dipulihkan. Jika bukan Anda yang menggantinya, pilih juga kata sandi baru."
        }
    }
}

extension MessageWording {
    static let indonesian = MessageWording(
        named: "{code} adalah kode verifikasi {app} Anda. Jangan bagikan kepada siapa pun.",
        unnamed: "{code} adalah kode verifikasi Anda. Jangan bagikan kepada siapa pun.",
        brieflyNamed: "{code} adalah kode {app} Anda.",
        brieflyUnnamed: "{code} adalah kode Anda."
    )
}

extension MailWording {
    static let indonesian = MailWording(
        resetPassword: Phrase(
            "Atur ulang kata sandi Anda",
            "Gunakan tautan ini untuk memilih kata sandi baru bagi {email}:"
        ),
        verifyEmail: Phrase(
            "Verifikasi alamat email Anda",
            "Gunakan tautan ini untuk memastikan bahwa {email} adalah alamat Anda:"
        ),
        signIn: Phrase("Tautan masuk Anda", "Gunakan tautan ini untuk masuk sebagai {email}:"),
        changeEmail: Phrase(
            "Konfirmasi alamat email baru Anda",
            "Gunakan tautan ini untuk menjadikan {newEmail} alamat akun Anda:"
        ),
        recoverEmail: Phrase(
            "Alamat email Anda telah diubah",
            "Alamat akun Anda sekarang {newEmail}. Jika bukan Anda yang mengubahnya, gunakan tautan ini untuk memulihkan {email}:"
        ),
        unrequested: "Jika Anda tidak memintanya, abaikan email ini."
    )
}
