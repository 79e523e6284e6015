// The hosted sign-in page: `component`, its module, and the way back to the app. The server has checked `continueUrl`
// and `authorization`, an app's request for a code.
const { apiKey, configuration, continueUrl, authorization } = JSON.parse(document.getElementById('data').textContent);
const element = document.querySelector('dialtone-sign-in');
const target = continueUrl ? new URL(continueUrl) : null;
const isOtherOrigin = target && target.origin !== location.origin;
// An app of another origin keeps the tokens itself, and so does one that gets a code.
if (isOtherOrigin || authorization) element.setAttribute('persistence', 'none');
element.setAttribute('autofocus', '');
element.addEventListener('dialtone-signed-in', async ({ detail: { user } }) => {
  if (!target && !authorization) return;
  let withCode;
  // A session that has ended is forgotten here; otherwise the app and the page would redirect the user to each other. A
  // server that cannot be reached, or has too many requests, is asked again.
  while (element.user === user) {
    try {
      if (authorization) withCode = await component.DialtoneUser.redirectOf(user, authorization);
      else await user.getIdToken();
      break;
    } catch ({ code, retryAfter }) {
      if (!/^(NETWORK|SERVER|TOO_MANY_ATTEMPTS_TRY_LATER)$/.test(code)) return authorization && element.signOut();
      await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(2, retryAfter || 0), 30) * 1000));
    }
  }
  if (element.user !== user) return;
  if (!isOtherOrigin) {
    // A browser may not let a script open an app without a click, and users may refuse to.
    const link = withCode && document.querySelector('.cancel a');
    if (link) {
      link.href = withCode;
      link.textContent = link.dataset.back;
    }
    // The page does not stay in the history: going back leads to the app's previous page.
    location.replace(withCode || target.href);
  } else if (window.opener) {
    window.opener.postMessage({ dialtone: component.DialtoneUser.tokensOf(user), apiKey }, target.origin);
    window.close();
  }
});
element.preset = configuration;
element.setAttribute('api-key', apiKey);
