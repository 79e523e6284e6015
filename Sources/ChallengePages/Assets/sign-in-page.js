// The hosted sign-in page: the component, and the way back to the app. The server has checked `continueUrl` and
// `authorization`, an app's request for a code.
const { apiKey, continueUrl, authorization } = JSON.parse(document.getElementById('data').textContent);
const element = document.querySelector('dialtone-sign-in');
const target = continueUrl ? new URL(continueUrl) : null;
const isOtherOrigin = target && target.origin !== location.origin;
// An app of another origin keeps the tokens itself, and so does one that gets a code.
if (isOtherOrigin || authorization) element.setAttribute('persistence', 'none');
element.setAttribute('autofocus', '');
element.addEventListener('dialtone-signed-in', async ({ detail: { user } }) => {
  if (!target && !authorization) return;
  let withCode;
  // A session that has ended is forgotten here; otherwise app and page would send the user to each other. A server that
  // cannot be reached is asked again.
  while (element.user === user) {
    try {
      if (authorization) withCode = await DialtoneUser.redirectOf(user, authorization);
      else await user.getIdToken();
      break;
    } catch ({ code }) {
      if (code !== 'NETWORK' && code !== 'SERVER') return authorization && element.signOut();
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
  if (element.user !== user) return;
  if (!isOtherOrigin) {
    // The page is not in the history: going back, the user comes to the app's page before.
    location.replace(withCode || target.href);
  } else if (window.opener) {
    window.opener.postMessage({ dialtone: DialtoneUser.tokensOf(user) }, target.origin);
    window.close();
  }
});
element.setAttribute('api-key', apiKey);
