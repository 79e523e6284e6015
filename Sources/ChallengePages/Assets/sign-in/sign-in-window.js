// Sign-in on the server's page, in a window.

/**
 * Opens the server's sign-in page in a window, and resolves to a `DialtoneUser`; rejects with an Error whose `code` is
 * `auth/popup-blocked` or `auth/popup-closed-by-user`. Call it in a click. The page hands the tokens to this page's
 * origin only, which must be one of the project's authorized domains, so that no URL contains a token.
 */
function signInWithPage({ apiKey, url = own, persistence = 'local' }) {
  const server = new Server(new URL(url, document.baseURI).origin, apiKey);
  const query = new URLSearchParams({ apiKey, continueUrl: location.origin + '/', hl: document.documentElement.lang });
  const address = server.origin + '/__/auth/sign-in?' + query;
  const page = window.open(address, 'dialtone-sign-in', 'popup,width=460,height=720');
  if (!page) return Promise.reject(failure('auth/popup-blocked', 'the window was blocked'));
  return new Promise((resolve, reject) => {
    const end = () => {
      clearInterval(watch);
      window.removeEventListener('message', hear);
    };
    const hear = (event) => {
      // A page of another project may have been opened in the same window since.
      const { dialtone, apiKey: owner } = event.data || {};
      if (event.origin !== server.origin || event.source !== page || !dialtone || owner !== apiKey) return;
      end();
      const storage = new SafeStorage(persistence), key = 'dialtone-user:' + apiKey;
      const tokens = received(dialtone);
      storage.set(key, tokens);
      window.dispatchEvent(new Event('dialtone-stored'));
      resolve(new DialtoneUser(server, storage, key, tokens));
    };
    let looks = 0;
    const watch = setInterval(() => {
      // A page that has closed itself may have sent a message just before, which is still on its way.
      if (!page.closed || ++looks < 3) return;
      end();
      reject(failure('auth/popup-closed-by-user', 'the window was closed'));
    }, 500);
    window.addEventListener('message', hear);
  });
}
