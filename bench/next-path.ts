import type { Request } from 'autocannon'

// `setupRequest` of a worker of autocannon, which loads this file by `require()`.

let requested = 0

/** The paths in turn, whichever connection requests them. */
function nextPath(request: Request & { readonly paths: readonly string[] }): Request {
  return { ...request, path: request.paths[requested++ % request.paths.length] }
}

export { nextPath as 'module.exports' }
