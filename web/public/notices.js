/*
 * Notices, for the workers of both kinds of page: those that the page shows, and those that the server sends to a
 * browser in which it is closed. A press on one opens what it is about.
 */
const home = new URL('./', self.location.href);

self.addEventListener('push', (event) => {
  const { table, text } = event.data?.json() ?? {};
  if (!/^[\w-]+$/.test(table)) return;
  const url = new URL(`table/${table}`, home).href;
  const shown = { body: String(text), tag: table, icon: new URL('icon-192.png', home).href, data: url };
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((open) => {
      const looking = open.some((one) => one.visibilityState === 'visible' && one.url.startsWith(url));
      return looking ? undefined : self.registration.showNotification('Ferrovia', shown);
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((open) => {
      const there = open.find((one) => one.url.startsWith(notification.data));
      return there ? there.focus() : self.clients.openWindow(notification.data);
    }),
  );
});
