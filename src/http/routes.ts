import type { ServerResponse } from 'node:http'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ApiContext } from './api-context.ts'
import { internalError, Problem, problemOf } from './problem.ts'
import { problemContent } from './problem-content.ts'
import { showDocument } from './v1/openapi/show-document.ts'
import { OPERATIONS } from './v1/operations.ts'

type Handler = (context: Context, api: ApiContext) => Response

/**
 * Every path, and what answers each of its methods; GET answers HEAD as well, and OPTIONS is answered from this table.
 * What begins with `/v1/` is behind an API key: the front asks for it before anything is looked up here.
 */
const ROUTES: readonly { readonly path: string; readonly methods: Readonly<Record<string, Handler>> }[] = [
  // The front answers GET itself; these entries are for all other methods.
  ...OPERATIONS.map(({ path }) => ({
    path: path.replace(/\{(\w+)\}$/, ':$1'),
    methods: { GET: unreachable },
  })),
  { path: '/openapi.json', methods: { GET: showDocument } },
  { path: '/livez', methods: { GET: showLive } },
  { path: '/readyz', methods: { GET: showReady } },
]

/** The paths of the service, less what the front answers ahead of them. */
export function routes(api: ApiContext): Hono {
  const app = new Hono()
  for (const { path, methods } of ROUTES) {
    const allow = [...Object.keys(methods), 'HEAD', 'OPTIONS'].join(', ')
    for (const [method, handler] of Object.entries(methods))
      app.on(method, path, (context) => handler(context, api))
    app.options(path, (context) => context.body(null, 204, { allow }))
    app.all(path, (context) => {
      const message = `${path.replace(/:(\w+)$/, '{$1}')} answers ${allow}: got ${context.req.method}.`
      return answerProblem(context, new Problem('method-not-allowed', message, { headers: { allow } }), api)
    })
  }
  app.notFound((context) => {
    const page = api.site.notFound
    if (page !== undefined && isForReading(context)) return context.body(page.body, 404, { ...page.headers })
    const message = `There is nothing at ${context.req.path.slice(0, 100)}. Documentation: ${api.docsUrl}`
    return answerProblem(context, new Problem('not-found', message), api)
  })
  app.onError((thrown, context) => {
    const known = problemOf(thrown)
    const requestId = requestIdOfAnswer(context)
    if (known === undefined)
      api.onFault(thrown, { id: requestId, method: context.req.method, url: context.req.path })
    return answerProblem(context, known ?? internalError(requestId), api)
  })
  return app
}

/** A browser asks, and not for something of `/v1`. */
function isForReading({ req }: Context): boolean {
  return /\btext\/html\b/.test(req.header('accept') ?? '') && !/^\/+v1(\/|$)/.test(req.path)
}

function unreachable(): Response {
  throw new Error('Cannot answer: the front must answer GET')
}

/** The process runs and its event loop turns. */
function showLive(context: Context): Response {
  return context.json({ status: 'live' }, 200, NOT_KEPT)
}

/**
 * The index and the keys are loaded, and the node stays: it may be given traffic. `?verbose` tells how it does as well,
 * which changes no status: without its database a node answers from memory for as long as it takes.
 */
function showReady(context: Context, api: ApiContext): Response {
  const condition = api.condition?.()
  const fault = !api.isReady() ? notReady() : condition?.draining ? leaving() : undefined
  const status = fault === undefined ? 'ready' : condition?.draining ? 'draining' : 'loading'
  if (context.req.query('verbose') !== undefined) {
    const revision = api.index.revision
    const report = { ...fault?.bodyParts, status, slots: api.index.length, revision, ...condition }
    return context.json(report, fault === undefined ? 200 : 503, { ...fault?.headers, ...NOT_KEPT })
  }
  if (fault !== undefined) throw fault
  return context.json({ status, slots: api.index.length }, 200, NOT_KEPT)
}

const NOT_KEPT = { 'cache-control': 'no-store' }

function leaving(): Problem {
  const message = 'This node is about to end. Please ask another one.'
  return new Problem('not-ready', message, { headers: { 'retry-after': '1' } })
}

/** What is answered until the index and the keys are loaded. */
export function notReady(): Problem {
  const message = 'The slots are being loaded. Please try again in a second.'
  return new Problem('not-ready', message, { headers: { 'retry-after': '1' } })
}

function answerProblem(context: Context, problem: Problem, { docsUrl }: ApiContext): Response {
  const requestId = requestIdOfAnswer(context)
  const { type, body } = problemContent(problem, { accept: context.req.header('accept'), requestId, docsUrl })
  return context.body(body, problem.status as ContentfulStatusCode, {
    ...problem.headers,
    'content-type': type,
    'cache-control': 'no-store',
  })
}

/** The front has set it. */
function requestIdOfAnswer(context: Context): string {
  const { outgoing } = context.env as { outgoing: ServerResponse }
  return String(outgoing.getHeader('x-request-id'))
}
