// Lets this browser tell its user what this site has to tell, once they ask for it.
const button = document.querySelector("[data-push]");
const say = (words) => { document.querySelector("[data-push-said]").textContent = words; };
if (button && "serviceWorker" in navigator && "PushManager" in window) {
  document.querySelector("[data-push-none]").hidden = true;
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (await Notification.requestPermission() !== "granted") return say("Your browser does not let this site tell you anything.");
    try {
      const worker = await navigator.serviceWorker.register(button.dataset.pushWorker);
      const told = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: button.dataset.push });
      const { value } = document.querySelector("[name=csrfmiddlewaretoken]");
      const answer = await fetch(button.dataset.pushTo, { method: "POST", body: JSON.stringify(told), headers: { "X-CSRFToken": value } });
      say(answer.ok ? "You are told in this browser from now on." : await answer.text());
    } catch {
      say("It did not work: your browser, or the service that it uses, refused.");
    }
  });
}
