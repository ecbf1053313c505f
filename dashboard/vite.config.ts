import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'
import { SCRIPT_GROUPS } from './build/script-groups.ts'

/** The service that the dev server proxies to. */
const SERVICE = 'http://localhost:8080'

/**
 * The dashboard (app.html, a single-page application) and the scripts and styles of the front page and the docs (site/site.ts).
 *
 * Nothing is inlined, because the service's content security policy forbids inline scripts, and nothing is
 * loaded from other hosts.
 */
const config: UserConfig = {
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), shellAtApp()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
    manifest: true,
    reportCompressedSize: false,
    // The build checks its own budget (build/budget.ts).
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: {
        app: join(import.meta.dirname, 'app.html'),
        site: join(import.meta.dirname, 'site/site.ts'),
      },
      output: { codeSplitting: { groups: SCRIPT_GROUPS } },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    watch: { ignored: ['**/.build/**', '**/dist/**'] },
    // The service rejects cross-origin writes, so proxied requests carry its own origin.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/docs', '/assets', '/openapi.json', '/llms.txt', '^/$'].map((path) => [
        path,
        { target: SERVICE, headers: { origin: SERVICE } },
      ]),
    ),
  },
}

/** In development, serves the shell at `/app` and below, as the service does. */
function shellAtApp(): Plugin {
  return {
    name: 'shell-at-app',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (/^\/app(?:[/?]|$)/.test(request.url ?? '')) request.url = '/app.html'
        next()
      })
    },
  }
}

// biome-ignore lint/style/noDefaultExport: required by Vite
export default config
