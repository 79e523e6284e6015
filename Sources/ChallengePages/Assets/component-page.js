// The end of a hosted page, which runs after the page's own script, also if that failed.
const OLD_MS = 600000;
document.getElementById('not-loaded').className = 'shown';
// A page that has been open for long may have another kind of challenge than the project has by now, and its policy
// allows only its own. The component keeps the number.
document.addEventListener('dialtone-refused', (event) => {
  if (event.detail.code !== 'CAPTCHA_CHECK_FAILED' || performance.now() < OLD_MS) return;
  event.preventDefault();
  location.reload();
});
