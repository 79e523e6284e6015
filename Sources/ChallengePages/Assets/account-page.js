// The hosted account page. The server has checked `continueUrl`, which its link back to the app has, too.
const { apiKey, configuration, continueUrl } = JSON.parse(document.getElementById('data').textContent);
const element = document.querySelector('dialtone-account');
if (continueUrl) {
  const target = new URL(continueUrl);
  // An app of another origin keeps its own tokens; the user of this page is forgotten when its tab is closed.
  if (target.origin !== location.origin) element.setAttribute('persistence', 'session');
  element.setAttribute('app-name', target.hostname);
}
element.preset = configuration;
element.setAttribute('api-key', apiKey);
