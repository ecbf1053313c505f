import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { DashboardOperation } from '../../shared/contract/operation.ts'
import { invalidField } from '../../shared/dashboard-problem.ts'

/** Parses the parts of a request that its operation has schemas for. Throws `DashboardProblem`. */
export async function parseRequest(request: HonoRequest, { query, body }: DashboardOperation) {
  return {
    params: request.param(),
    query: query && parse(parametersOf(request), query),
    body: body && parse(parseJson((await request.text()) || '{}'), body),
  }
}

function parametersOf(request: HonoRequest): Record<string, string> {
  const { searchParams } = new URL(request.url)
  const names = [...searchParams.keys()]
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw invalidField(`${quoted(repeated)} must be given once.`, repeated)
  return Object.fromEntries(searchParams)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField('The body must be JSON.')
  }
}

function parse(value: unknown, schema: z.ZodType): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue.code === 'unrecognized_keys')
    throw invalidField(`${quoted(issue.keys[0])} is not a known field.`, issue.keys[0])
  const [field] = issue.path
  throw field === undefined
    ? invalidField('The body must be a JSON object.')
    : invalidField(issue.message, String(field))
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 50))
}
