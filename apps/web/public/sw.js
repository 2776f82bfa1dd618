// Keeps the static shell, so that the app opens without a network. Never touches data: /api/, /logout and /health
// always go to the server.
//
// The build writes the next two values. A new build therefore is a new worker, which fills a cache of its own and
// takes over, and removes the old caches, once no tab uses the old version any more. A new version shows before that:
// pages are asked from the network first.
const VERSION = 'development'
const SHELL_FILES = []

const CACHE = `tradewright-shell-${VERSION}`
const PAGE = '/index.html'
const SHELL_EXTRAS = ['/theme.js', '/favicon.svg', '/manifest.webmanifest']

self.addEventListener('install', (event) => {
  event.waitUntil(fillCache())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin || isData(url.pathname)) return
  if (request.mode === 'navigate') event.respondWith(fromNetworkFirst(request, PAGE))
  else if (SHELL_EXTRAS.includes(url.pathname)) event.respondWith(fromNetworkFirst(request, url.pathname))
  else if (isHashed(url.pathname)) event.respondWith(fromCacheFirst(request))
})

function isData(path) {
  return path.startsWith('/api/') || path === '/api' || path === '/logout' || path === '/health'
}

/** Files below /assets/ carry a hash of their content in their name and never change. */
function isHashed(path) {
  return path.startsWith('/assets/')
}

async function fillCache() {
  const cache = await caches.open(CACHE)
  // Past the browser's own cache: an old page would name files that are gone.
  const fresh = [PAGE, ...SHELL_EXTRAS].map((path) => new Request(path, { cache: 'reload' }))
  await cache.addAll([...fresh, ...SHELL_FILES])
}

async function removeOldCaches() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith('tradewright-shell-') && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
}

async function fromNetworkFirst(request, fallback) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(fallback)
    if (kept) return kept
    throw error
  }
}

async function fromCacheFirst(request) {
  const kept = await caches.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  // A file that is gone may be answered with the page instead; only the real thing is kept.
  const isPage = (answer.headers.get('content-type') ?? '').includes('text/html')
  if (answer.ok && !isPage) {
    const cache = await caches.open(CACHE)
    await cache.put(request, answer.clone())
  }
  return answer
}
