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
    const path = /^GET (\/v1\/\S+)$/.exec(code.textContent ?? '')?.[1]
    const heading = code.closest('p')?.previousElementSibling
    if (path !== undefined && heading instanceof HTMLElement) code.closest('p')?.after(trial(path, heading))
  }
}

function trial(path: string, heading: HTMLElement): HTMLElement {
  const details = element('details', 'try-it')
  const title = heading.firstChild?.textContent?.trim() ?? path
  details.append(element('summary', '', `Try it: ${title}`))
  details.addEventListener('toggle', () => fill(details, path, heading), { once: true })
  return details
}

function fill(details: HTMLElement, path: string, heading: HTMLElement): void {
  const form = element('form', '')
  const keyField = field('API key (stays on this page)', 'try-it-key')
  keyField.input.type = 'password'
  keyField.input.autocomplete = 'off'
  keyField.input.value = key
  const fields = parametersBelow(heading).map((name) => ({ name, ...field(name, '') }))
  const output = element('output', '')
  form.append(keyField.label, ...fields.map(({ label }) => label), element('button', '', 'Send'), output)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    key = keyField.input.value.trim()
    const values = new Map(fields.map(({ name, input }) => [name, input.value.trim()]))
    void send(urlOf(path, values), details, output)
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

function urlOf(path: string, values: ReadonlyMap<string, string>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))
  const query = new URLSearchParams([...values].filter(([name, value]) => value !== '' && !path.includes(`{${name}}`)))
  return query.size === 0 ? filled : `${filled}?${query}`
}

async function send(url: string, details: HTMLElement, output: HTMLElement): Promise<void> {
  output.textContent = 'Sending…'
  details.querySelector('pre')?.remove()
  try {
    // A redirect leads to another origin: its address is in the documentation of the operation.
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, redirect: 'manual' })
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
