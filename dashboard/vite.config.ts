import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'

/** What runs beside the dev server. */
const SERVICE = 'http://localhost:8080'

/**
 * The dashboard (app.html, a single-page application) and the scripts and styles of the front page and the docs (site/site.ts).
 *
 * Nothing is inlined and no helper script is written into a page, because the service forbids inline scripts; no file is
 * asked of another host.
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
    // The build checks its own budget, of what loads at first: a page that loads later may be larger.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: {
        app: join(import.meta.dirname, 'app.html'),
        site: join(import.meta.dirname, 'site/site.ts'),
        reference: join(import.meta.dirname, 'site/reference.ts'),
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    watch: { ignored: ['**/.build/**', '**/dist/**'] },
    // The service refuses changes that come from elsewhere, so what the dev server passes on says that it does not.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/docs', '/assets', '/openapi.json', '/llms.txt', '^/$'].map((path) => [
        path,
        { target: SERVICE, headers: { origin: SERVICE } },
      ]),
    ),
  },
}

/** While developing: `/app` and all below it are the shell, as the service serves them. */
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

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default config
