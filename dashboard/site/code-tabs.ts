import { keepChoice, readChoice } from './stored-choice.ts'

const CHOICE = 'code-language'

/** Turns code in several languages into tabs (WAI-ARIA tabs). The choice applies to all groups and is stored. */
export function startCodeTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.code-tabs')]
  groups.forEach(connect)
  for (const group of groups) {
    for (const tab of tabsOf(group)) tab.addEventListener('click', () => choose(tab, groups))
    group.querySelector('[role="tablist"]')?.addEventListener('keydown', (event) => {
      const next = nextTab(group, event as KeyboardEvent)
      if (next === undefined) return
      event.preventDefault()
      choose(next, groups)
      next.focus()
    })
  }
  const language = readChoice(CHOICE)
  if (language !== undefined) showEverywhere(language, groups)
}

function connect(group: HTMLElement, number: number): void {
  const panels = panelsOf(group)
  tabsOf(group).forEach((tab, at) => {
    tab.id = `code-tab-${number}-${at}`
    tab.tabIndex = at === 0 ? 0 : -1
    tab.setAttribute('aria-controls', `code-panel-${number}-${at}`)
    panels[at].id = `code-panel-${number}-${at}`
    panels[at].setAttribute('role', 'tabpanel')
    panels[at].setAttribute('aria-labelledby', tab.id)
  })
}

/** Keeps the scroll position when other groups change their heights. */
function choose(tab: HTMLButtonElement, groups: readonly HTMLElement[]): void {
  const language = tab.dataset.language ?? ''
  const topBefore = tab.getBoundingClientRect().top
  keepChoice(CHOICE, language)
  showEverywhere(language, groups)
  scrollBy({ top: tab.getBoundingClientRect().top - topBefore, behavior: 'instant' })
}

function showEverywhere(language: string, groups: readonly HTMLElement[]): void {
  for (const group of groups) {
    const tabs = tabsOf(group)
    // Groups without the language keep their selection.
    if (!tabs.some((tab) => tab.dataset.language === language)) continue
    for (const tab of tabs) {
      const selected = tab.dataset.language === language
      tab.setAttribute('aria-selected', String(selected))
      tab.tabIndex = selected ? 0 : -1
    }
    for (const panel of panelsOf(group)) panel.toggleAttribute('data-shown', panel.dataset.language === language)
  }
}

function nextTab(group: HTMLElement, { key }: KeyboardEvent): HTMLButtonElement | undefined {
  const tabs = tabsOf(group)
  const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true')
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[key]
  return to === undefined ? undefined : tabs.at(to % tabs.length)
}

function tabsOf(group: HTMLElement): HTMLButtonElement[] {
  return [...group.querySelectorAll<HTMLButtonElement>('[role="tab"]')]
}

function panelsOf(group: HTMLElement): HTMLElement[] {
  return [...group.querySelectorAll<HTMLElement>('.code-panel')]
}
