/** Notices while the page is closed: the server sends them through the push service of the browser. */

/** Whether this browser can receive them here. */
export const canPush = (): boolean => globalThis.isSecureContext && 'PushManager' in globalThis;

/** Subscribe at the push service of the browser, for a server that has this key. */
export async function subscribe(key: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (problem) {
    const old = await pushManager.getSubscription(); // for another key: the server had another store
    if (!old) throw problem;
    await old.unsubscribe();
    return pushManager.subscribe(options);
  }
}
