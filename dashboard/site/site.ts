import './site.css'
import { startCodeTabs } from './code-tabs.ts'
import { startCopyButtons } from './copy-button.ts'
import { startSchemeButton } from './scheme-button.ts'
import { startSearchBox } from './search-box.ts'

// Every page can be read without this: it only adds what makes reading quicker.
startSchemeButton()
startCodeTabs()
startCopyButtons()
startSearchBox()
closeDrawersOnLeave()

/** A place in the same page is below the drawer that led to it. */
function closeDrawersOnLeave(): void {
  for (const drawer of document.querySelectorAll<HTMLElement>('[popover]')) {
    drawer.addEventListener('click', (event) => {
      if (event.target instanceof HTMLAnchorElement && drawer.matches(':popover-open')) drawer.hidePopover()
    })
  }
}
