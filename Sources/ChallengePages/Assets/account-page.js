// The hosted account page: the component, and the way back to the app. The server has checked `continueUrl`.
const { apiKey, configuration, continueUrl } = JSON.parse(document.getElementById('data').textContent);
const element = document.querySelector('dialtone-account');
if (continueUrl) {
  const target = new URL(continueUrl), back = document.getElementById('back');
  // An app of another origin keeps its own tokens; the user of this page is forgotten when its tab is closed.
  if (target.origin !== location.origin) element.setAttribute('persistence', 'session');
  element.setAttribute('app-name', target.hostname);
  back.href = target.href;
  back.hidden = false;
}
element.preset = configuration;
element.setAttribute('api-key', apiKey);
