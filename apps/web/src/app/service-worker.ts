const MAX_WAIT_MS = 5000

/**
 * From the site root, so that it may serve every page. It fetches the whole shell, so it begins when the first page has been
 * drawn. The app works without it, so a failure is ignored.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => {})
  const whenIdle = () =>
    // Safari does not know it.
    'requestIdleCallback' in window
      ? requestIdleCallback(register, { timeout: MAX_WAIT_MS })
      : setTimeout(register, 1000)
  if (document.readyState === 'complete') whenIdle()
  else window.addEventListener('load', whenIdle, { once: true })
}
