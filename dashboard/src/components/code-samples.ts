/** One request in the three languages of the documentation. */
export interface CodeSamples {
  readonly curl: string
  readonly typescript: string
  readonly python: string
}

/** The query of example requests. */
export const SAMPLE_SEARCH = { state: 'MA', isVirtual: 'true' } as const

/** Placeholder for the API key. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY'

/**
 * A request for `GET /v1/scheduling/slots`, ready to paste. `search` holds the query parameters in order;
 * without `apiKey` it contains the placeholder.
 */
export function slotsCall(call: {
  baseUrl: string
  search: Readonly<Record<string, string>>
  apiKey?: string
}): CodeSamples {
  const query = new URLSearchParams(call.search).toString()
  const url = `${call.baseUrl.replace(/\/$/, '')}/v1/scheduling/slots${query && `?${query}`}`
  const key = call.apiKey ?? KEY_PLACEHOLDER
  return { curl: curlCall(url, key), typescript: typescriptCall(url, key), python: pythonCall(url, key) }
}

/** A request as a command. */
export function curlCall(url: string, key: string): string {
  return `curl '${url}' \\\n  -H 'Authorization: Bearer ${key}'`
}

function typescriptCall(url: string, key: string): string {
  return `const response = await fetch(
  '${url}',
  { headers: { Authorization: 'Bearer ${key}' } },
)
if (!response.ok) throw new Error(await response.text())
const { slots, total } = await response.json()`
}

function pythonCall(url: string, key: string): string {
  return `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": "Bearer ${key}"},
)
with urllib.request.urlopen(request) as response:
    page = json.load(response)
print(page["total"], page["slots"])`
}
