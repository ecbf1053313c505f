import './site.css'
import { startCodeTabs } from './code-tabs.ts'
import { startCopyButtons } from './copy-button.ts'
import { startSchemeButton } from './scheme-button.ts'
import { startSearchBox } from './search-box.ts'

// Progressive enhancement: every page works without it.
startSchemeButton()
startCodeTabs()
startCopyButtons()
startSearchBox()
closeDrawersOnLeave()

/** Closes a drawer when one of its links is followed. */
function closeDrawersOnLeave(): void {
  for (const drawer of document.querySelectorAll<HTMLElement>('[popover]')) {
    drawer.addEventListener('click', (event) => {
      if (event.target instanceof HTMLAnchorElement && drawer.matches(':popover-open')) drawer.hidePopover()
    })
  }
}
