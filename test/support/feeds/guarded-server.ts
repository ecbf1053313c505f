import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import type { SourceAuthorization } from '../../../src/feeds/source-options.ts'
import { FhirServer, outcome, sendJson } from './fhir-server.ts'
import { clinic, Searcher } from './searcher.ts'

/** The reference to the secret in options. */
export const SECRET = '$' + '{SOURCE_CLINIC}'

/** A server that requires the newest token, with its token endpoint. */
export async function guarded(t: TestContext, lifeSeconds: unknown = 300) {
  const server = await FhirServer.open(clinic(3))
  t.after(() => server[Symbol.asyncDispose]())
  const state = {
    server,
    /** The bodies of token requests, with their header. */
    posts: [] as {
      form: URLSearchParams
      authorization: string | undefined
      url: string
      headers: IncomingHttpHeaders
    }[],
    valid: 0,
    answer: undefined as undefined | ((response: ServerResponse) => void),
  }
  server.intercept = (request, response) => {
    const { url = '', headers } = request
    if (url.startsWith('/token')) {
      void readText(request).then((text) => {
        state.posts.push({ form: new URLSearchParams(text), authorization: headers.authorization, url, headers })
        if (state.answer !== undefined) return state.answer(response)
        const token = `token-${++state.valid}`
        sendJson(response, 200, { access_token: token, token_type: 'bearer', expires_in: lifeSeconds })
      })
      return true
    }
    if (request.headers.authorization === `Bearer token-${state.valid}`) return false
    return sendJson(response, 401, outcome('error', `who is ${request.headers.authorization}?`))
  }
  return state
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}

/** A searcher that requests its tokens there. */
export function searcherOf(
  server: FhirServer,
  authorization: Partial<SourceAuthorization> = {},
  secret = 'p&ss wörd',
): Searcher {
  const searcher = new Searcher(server.base)
  const tokenUrl = `${server.origin}/token`
  const given = {
    kind: 'client-credentials',
    tokenUrl,
    clientId: 'us:er',
    clientSecret: SECRET,
    ...authorization,
  }
  searcher.options = { authorization: given as SourceAuthorization }
  searcher.secrets.SOURCE_CLINIC = secret
  return searcher
}
