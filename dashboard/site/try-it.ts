/** More of a response is cut off. */
const SHOWN_CHARS_MAX = 20_000

/** The key that the visitor entered last, for all forms. It stays in the page's memory. */
let key = ''

/**
 * Adds a form to each operation of the reference: a paragraph with the method and path, and the table of parameters below. Sends
 * the request from this page, which has the same origin as the API.
 */
export function startTryIt(): void {
  for (const code of document.querySelectorAll<HTMLElement>('.prose h3 + p > code:only-child')) {
    const [, method, path] = /^([A-Z]+) (\/v1\/\S+)$/.exec(code.textContent ?? '') ?? []
    const heading = code.closest('p')?.previousElementSibling
    if (path !== undefined && heading instanceof HTMLElement) code.closest('p')?.after(trial({ method, path }, heading))
  }
}

interface Target {
  readonly method: string
  readonly path: string
}

function trial(target: Target, heading: HTMLElement): HTMLElement {
  const details = element('details', 'try-it')
  const title = heading.firstChild?.textContent?.trim() ?? target.path
  details.append(element('summary', '', `Try it: ${title}`))
  details.addEventListener('toggle', () => fill(details, target, heading), { once: true })
  return details
}

function fill(details: HTMLElement, { method, path }: Target, heading: HTMLElement): void {
  const form = element('form', '')
  const keyField = field('API key (stays on this page)', 'try-it-key')
  keyField.input.type = 'password'
  keyField.input.autocomplete = 'off'
  keyField.input.value = key
  const fields = parametersBelow(heading).map((name) => ({ name, ...field(name, '') }))
  const body = bodyField(heading)
  const output = element('output', '')
  const labels = [keyField, ...fields, ...(body === undefined ? [] : [body])].map(({ label }) => label)
  form.append(...labels, element('button', '', 'Send'), output)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    key = keyField.input.value.trim()
    const values = new Map(fields.map(({ name, input }) => [name, input.value.trim()]))
    void send({ method, url: urlOf(path, values), body: body?.input.value }, details, output)
  })
  details.append(form)
}

/** The first column of the table before the next heading. */
function parametersBelow(heading: HTMLElement): string[] {
  let next = heading.nextElementSibling
  while (next !== null && !/^H[1-3]$/.test(next.tagName)) {
    const cells = [...next.querySelectorAll('td:first-child > code')]
    if (next.tagName === 'TABLE' || cells.length > 0)
      return next.textContent?.startsWith('Status') || next.querySelector('th')?.textContent === 'Status'
        ? []
        : cells.map((cell) => cell.textContent ?? '')
    next = next.nextElementSibling
  }
  return []
}

/** The request body, with the example of the documentation; undefined if there is none. */
function bodyField(heading: HTMLElement): { label: HTMLElement; input: HTMLTextAreaElement } | undefined {
  let next = heading.nextElementSibling
  while (next !== null && !/^H[1-3]$/.test(next.tagName) && !next.textContent?.startsWith('Request body'))
    next = next.nextElementSibling
  const example = next?.tagName === 'P' ? next.nextElementSibling?.querySelector('code') : undefined
  if (!example) return undefined
  const label = element('label', 'try-it-body', 'Request body')
  const input = document.createElement('textarea')
  input.rows = 6
  input.spellcheck = false
  input.value = example.textContent ?? ''
  label.append(input)
  return { label, input }
}

function urlOf(path: string, values: ReadonlyMap<string, string>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))
  const query = new URLSearchParams([...values].filter(([name, value]) => value !== '' && !path.includes(`{${name}}`)))
  return query.size === 0 ? filled : `${filled}?${query}`
}

interface Sent {
  readonly method: string
  readonly url: string
  readonly body: string | undefined
}

async function send({ method, url, body: sent }: Sent, details: HTMLElement, output: HTMLElement): Promise<void> {
  output.textContent = 'Sending…'
  details.querySelector('pre')?.remove()
  try {
    // A redirect leads to another origin: its address is in the documentation of the operation.
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(sent !== undefined && { 'content-type': 'application/json' }) },
      body: sent ?? null,
      redirect: 'manual',
    })
    const text = response.type === 'opaqueredirect' ? '' : await response.text()
    output.textContent =
      response.type === 'opaqueredirect' ? 'Redirects to the booking page.' : `${response.status} ${url}`
    if (text === '') return
    const body = element('pre', '', readable(text))
    body.tabIndex = 0
    details.append(body)
  } catch {
    output.textContent = 'The service could not be reached. Try again.'
  }
}

function readable(text: string): string {
  try {
    return cut(JSON.stringify(JSON.parse(text), null, 2))
  } catch {
    return cut(text)
  }
}

function cut(text: string): string {
  return text.length <= SHOWN_CHARS_MAX ? text : `${text.slice(0, SHOWN_CHARS_MAX)}\n…`
}

function field(name: string, className: string): { label: HTMLElement; input: HTMLInputElement } {
  const label = element('label', className, name)
  const input = document.createElement('input')
  label.append(input)
  return { label, input }
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  made.textContent = text
  return made
}
