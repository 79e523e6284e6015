// The hosted sign-in page: the component, and the way back to the app. The server has checked `continueUrl`.
const { apiKey, continueUrl } = JSON.parse(document.getElementById('data').textContent);
const element = document.querySelector('dialtone-sign-in');
const target = continueUrl ? new URL(continueUrl) : null;
const isOtherOrigin = target && target.origin !== location.origin;
// An app of another origin keeps the tokens itself.
if (isOtherOrigin) element.setAttribute('persistence', 'none');
element.setAttribute('autofocus', '');
element.addEventListener('dialtone-signed-in', async ({ detail: { user } }) => {
  if (!target) return;
  // A session that has ended is forgotten here; otherwise app and page would send the user to each other. A server that
  // cannot be reached is asked again.
  while (element.user === user) {
    try {
      await user.getIdToken();
      break;
    } catch ({ code }) {
      if (code !== 'NETWORK' && code !== 'SERVER') return;
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
  if (element.user !== user) return;
  if (!isOtherOrigin) {
    location.replace(target.href);
  } else if (window.opener) {
    window.opener.postMessage({ dialtone: DialtoneUser.tokensOf(user) }, target.origin);
    window.close();
  }
});
element.setAttribute('api-key', apiKey);
