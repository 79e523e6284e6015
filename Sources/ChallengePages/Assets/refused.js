'use strict';
// Returns the error to the app if possible; the text remains for a user who comes back to the page.
(() => {
  const link = document.getElementById('back');
  if (link) addEventListener('load', () => location.replace(link.href));
})();
