import { POPULAR_PAGES } from './search-options.ts'
import type { Searcher, SearchResult } from './searcher.ts'

/** The documentation search: a combobox (WAI-ARIA combobox). Loads the index on focus. */
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

  /** Retries on the next input after an error. */
  #load(): Promise<Searcher> {
    this.#searcher ??= import('./searcher.ts')
      .then(({ loadSearcher }) => loadSearcher(this.#root.dataset.index ?? ''))
      .catch((error) => {
        this.#searcher = undefined
        throw error
      })
    return this.#searcher
  }

  async #search(): Promise<void> {
    const text = this.#input.value.trim()
    if (text === '') return this.#close()
    try {
      const search = await this.#load()
      if (text === this.#input.value.trim()) this.#show(search(text), text)
    } catch {
      this.#showNote('The search could not be loaded. Try again.')
    }
  }

  #show(results: readonly SearchResult[], text: string): void {
    if (results.length === 0) {
      this.#showNote(`No results for “${text}”. These pages may help:`, POPULAR_PAGES)
      return
    }
    this.#list.replaceChildren(...results.map(option))
    this.#open()
    this.#activate(0)
    this.#status.textContent = `${results.length} ${results.length === 1 ? 'result' : 'results'}`
  }

  #showNote(sentence: string, pages: readonly SearchResult[] = []): void {
    const note = document.createElement('div')
    note.className = 'search-note'
    note.setAttribute('role', 'option')
    note.setAttribute('aria-disabled', 'true')
    note.textContent = sentence
    this.#list.replaceChildren(note, ...pages.map(option))
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

function option({ id, heading, page, excerpt }: SearchResult, at: number): HTMLElement {
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
  if (found === null) throw new Error(`The search template has no ${selector}`)
  return found
}
