import { registerHooks } from 'node:module'

// Preloaded by each process of a test run: a file shares its process with others, but not the state of this module.

const MODULE = '/test/support/http/sample-server.ts'

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    if (!resolved.url.endsWith(MODULE)) return resolved
    return { ...resolved, url: `${resolved.url}?of=${encodeURIComponent(context.parentURL ?? '')}` }
  },
})
