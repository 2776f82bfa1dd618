import react from '@vitejs/plugin-react'
import { createLogger, defineConfig, type Logger } from 'vite'
import { compressedFilesPlugin } from './build/compressed-files-plugin.ts'
import { layerOrderPlugin } from './build/layer-order-plugin.ts'
import { shellPrecachePlugin } from './build/shell-precache-plugin.ts'
import { tokenStylesheetPlugin } from './build/token-stylesheet-plugin.ts'

/** Where `npm run dev` finds the server; the built app is served by the server itself. */
const server = process.env.DEV_SERVER_URL ?? 'http://127.0.0.1:3000'

const FOUNDATION = /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/(query-core|react-query)|zod)\//

/** Style sheets that compose classes of others warn of images in them that could get a wrong address. There are none. */
function createQuietLogger(): Logger {
  const standard = createLogger('warn')
  const warnOnce: Logger['warnOnce'] = (message, options) => {
    if (!message.includes('A PostCSS plugin did not pass the `from` option')) standard.warnOnce(message, options)
  }
  return { ...standard, warnOnce }
}

export default defineConfig(({ command }) => ({
  ...(command === 'build' && { customLogger: createQuietLogger() }),
  plugins: [react(), tokenStylesheetPlugin(), layerOrderPlugin(), shellPrecachePlugin(), compressedFilesPlugin()],
  build: {
    manifest: true,
    // The content security policy allows fonts and scripts from the own origin only, never as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Libraries that every screen needs and that seldom change: a new version of the app leaves them in the browser's
    // cache.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'foundation', test: FOUNDATION }] } } },
  },
  server: { proxy: { '/api': server, '/logout': server, '/health': server, '/ready': server } },
}))
