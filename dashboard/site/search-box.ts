import type { Found, Searcher } from './searcher.ts'

/** The search of the documentation: a combobox with a list of pages (WAI-ARIA, combobox). The index comes once the box is entered. */
export function startSearchBox(): void {
  const root = document.querySelector<HTMLElement>('[data-search]')
  if (root !== null) new SearchBox(root).start()
}

class SearchBox {
  readonly #root: HTMLElement
  readonly #input: HTMLInputElement
  readonly #list: HTMLElement
  readonly #status: HTMLElement
  #searcher: Promise<Searcher> | undefined
  #active = -1

  constructor(root: HTMLElement) {
    this.#root = root
    this.#input = part(root, 'input') as HTMLInputElement
    this.#list = part(root, '[role="listbox"]')
    this.#status = part(root, '[data-search-status]')
  }

  start(): void {
    this.#input.addEventListener('focus', () => this.#load().catch(() => {}))
    this.#input.addEventListener('input', () => this.#search())
    this.#input.addEventListener('keydown', (event) => this.#onKey(event))
    // Not on blur: a click on a result takes the focus first.
    document.addEventListener('pointerdown', ({ target }) => {
      if (!this.#root.contains(target as Node)) this.#close()
    })
    this.#root.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget !== null && !this.#root.contains(relatedTarget as Node)) this.#close()
    })
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      this.#input.focus()
    })
  }

  /** Tried again at the next key if it fails. */
  #load(): Promise<Searcher> {
    this.#searcher ??= import('./searcher.ts')
      .then(({ loadSearcher }) => loadSearcher(this.#root.dataset.index ?? ''))
      .catch((fault) => {
        this.#searcher = undefined
        throw fault
      })
    return this.#searcher
  }

  async #search(): Promise<void> {
    const words = this.#input.value.trim()
    if (words === '') return this.#close()
    try {
      const search = await this.#load()
      if (words === this.#input.value.trim()) this.#show(search(words), words)
    } catch {
      this.#say('The search could not be loaded. Please try again.')
    }
  }

  #show(found: readonly Found[], words: string): void {
    if (found.length === 0) {
      this.#say(`Nothing was found for “${words}”.`)
      return
    }
    this.#list.replaceChildren(...found.map(option))
    this.#open()
    this.#activate(0)
    this.#status.textContent = `${found.length} ${found.length === 1 ? 'result' : 'results'}`
  }

  #say(sentence: string): void {
    const note = document.createElement('div')
    note.className = 'search-note'
    note.setAttribute('role', 'option')
    note.setAttribute('aria-disabled', 'true')
    note.textContent = sentence
    this.#list.replaceChildren(note)
    this.#open()
    this.#active = -1
    this.#input.removeAttribute('aria-activedescendant')
    this.#status.textContent = sentence
  }

  #onKey(event: KeyboardEvent): void {
    const links = this.#links()
    if (event.key === 'Escape') {
      if (!this.#list.hidden) event.preventDefault()
      this.#close()
    } else if (links.length === 0 || this.#list.hidden) {
      if (event.key === 'ArrowDown') this.#search()
      return
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      this.#activate((this.#active + step + links.length) % links.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      links[this.#active]?.click()
    }
  }

  #activate(at: number): void {
    this.#active = at
    this.#links().forEach((link, number) => {
      link.setAttribute('aria-selected', String(number === at))
      if (number !== at) return
      this.#input.setAttribute('aria-activedescendant', link.id)
      link.scrollIntoView({ block: 'nearest' })
    })
  }

  #open(): void {
    this.#list.hidden = false
    this.#input.setAttribute('aria-expanded', 'true')
  }

  #close(): void {
    this.#list.hidden = true
    this.#input.setAttribute('aria-expanded', 'false')
    this.#input.removeAttribute('aria-activedescendant')
    this.#status.textContent = ''
  }

  #links(): HTMLAnchorElement[] {
    return [...this.#list.querySelectorAll('a')]
  }
}

function option({ id, heading, page, excerpt }: Found, at: number): HTMLElement {
  const link = document.createElement('a')
  link.href = id
  link.id = `search-result-${at}`
  link.tabIndex = -1
  link.setAttribute('role', 'option')
  const title = document.createElement('strong')
  title.textContent = heading === page ? heading : `${page} › ${heading}`
  const text = document.createElement('span')
  text.textContent = excerpt
  link.append(title, text)
  return link
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

function part(root: HTMLElement, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`Cannot start the search: ${selector} must be in its template`)
  return found
}
