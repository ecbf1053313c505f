import { isBuiltin } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { build, type Plugin } from 'vite'
import { ROOT } from '../../dashboard/build/fingerprint.ts'

/** The absolute paths of the modules in the bundle. */
type BundledFiles = ReadonlySet<string>

/**
 * Bundles the server with its packages into a new folder as JavaScript: `main.js`, one file per thread and process entry, and shared
 * chunks. The folder is flat and stands beside `src/`, so that what `src/app.ts` reads beside its own folder is found from both.
 */
export async function bundleServer(folder: string): Promise<BundledFiles> {
  const output = await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [entriesByAddress(), lazyBuiltIns()],
    ssr: { noExternal: true, external: OPTIONAL_PACKAGES },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'esnext',
      // Stack traces in logs name functions and lines; a minified server was no smaller in memory.
      minify: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        input: { main: join(ROOT, 'src/main.ts') },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
      },
    },
  })
  const files = new Set<string>()
  for (const part of [output].flat()) {
    if (!('output' in part)) continue
    for (const chunk of part.output) {
      if (chunk.type === 'chunk') for (const id of chunk.moduleIds) files.add(id)
    }
  }
  return files
}

/** Looked for by `pg` and not installed. */
const OPTIONAL_PACKAGES = ['pg-native']

/** `new URL('./thread.ts', import.meta.url)` names the entry of a thread or process: a file of the bundle. */
function entriesByAddress(): Plugin {
  return {
    name: 'entries-by-address',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(join(ROOT, 'src'))) return null
      return code.replace(ENTRY_ADDRESS, (_, path: string) => {
        const fileName = `${basename(path, '.ts')}.js`
        this.emitFile({ type: 'chunk', id: join(dirname(id), path), fileName })
        return `new URL('./${fileName}', import.meta.url)`
      })
    },
  }
}

const ENTRY_ADDRESS = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g

/**
 * An `import` of a module of Node.js reads each of its exports, which loads what they load on demand: that of `node:http` takes 45 ms of
 * CPU time per thread for a WebSocket client that nothing uses. `getBuiltinModule()` reads none.
 */
function lazyBuiltIns(): Plugin {
  return {
    name: 'lazy-built-ins',
    renderChunk: (code) =>
      code.replace(IMPORT, (statement, names: string, id: string) =>
        isBuiltin(id) ? declaration(names, id) : statement,
      ),
  }
}

const IMPORT = /^import ([^'"\n]+) from "([\w:/]+)";$/gm

/** Default, namespace and named imports, alone or together, as `const` of the same names. */
function declaration(imported: string, id: string): string {
  const [, whole, named] = /^(?:(?:\* as )?([\w$]+))?(?:, )?(\{.+\})?$/.exec(imported) ?? []
  const names = [whole, named?.replaceAll(' as ', ': ')].filter((name) => name !== undefined)
  return names.map((name) => `const ${name} = globalThis.process.getBuiltinModule("${id}");`).join(' ')
}
