// Shows what this site tells while none of its pages is open, and leads there.
self.addEventListener("push", (event) => {
  const { title, text, url, id } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body: text, data: url, tag: id }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
