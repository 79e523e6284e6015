'use strict';
// The app can be told why, so it is; the words stay behind for whoever comes back to the page.
(() => {
  const link = document.getElementById('back');
  if (link) addEventListener('load', () => location.replace(link.href));
})();
