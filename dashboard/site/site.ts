import './site.css'
import { startCodeTabs } from './code-tabs.ts'
import { startCopyButtons } from './copy-button.ts'
import { startLiveCounts } from './live-counts.ts'
import { startSchemeButton } from './scheme-button.ts'
import { startSearchBox } from './search-box.ts'

// Progressive enhancement: every page works without it.
startSchemeButton()
startCodeTabs()
startCopyButtons()
startSearchBox()
startLiveCounts()
closeDrawersOnLeave()
showCurrentPage()
if (location.pathname === '/docs/api') void import('./try-it.ts').then(({ startTryIt }) => startTryIt())

/** Closes a drawer when one of its links is followed. */
function closeDrawersOnLeave(): void {
  for (const drawer of document.querySelectorAll<HTMLElement>('[popover]')) {
    drawer.addEventListener('click', (event) => {
      if (event.target instanceof HTMLAnchorElement && drawer.matches(':popover-open')) drawer.hidePopover()
    })
  }
}

/** Scrolls the list of pages to the current one, and again when it opens as a drawer. */
function showCurrentPage(): void {
  const list = document.querySelector<HTMLElement>('.docs-nav')
  const current = list?.querySelector<HTMLElement>('[aria-current]')
  if (!list || !current) return
  const scroll = () => {
    const below = current.getBoundingClientRect().top - list.getBoundingClientRect().top
    list.scrollTop += below - (list.clientHeight - current.clientHeight) / 2
  }
  list.addEventListener('toggle', scroll)
  scroll()
}
