import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressedFilesPlugin } from './build/compressed-files-plugin.ts'
import { shellPrecachePlugin } from './build/shell-precache-plugin.ts'
import { tokenStylesheetPlugin } from './build/token-stylesheet-plugin.ts'

/** Where `npm run dev` finds the server; the built app is served by the server itself. */
const server = process.env.DEV_SERVER_URL ?? 'http://127.0.0.1:3000'

const FOUNDATION = /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/(query-core|react-query)|zod)\//

export default defineConfig({
  plugins: [react(), tokenStylesheetPlugin(), shellPrecachePlugin(), compressedFilesPlugin()],
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
})
