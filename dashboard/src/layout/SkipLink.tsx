import type { MouseEvent } from 'react'
import classes from './layout.module.css'

/** The first stop of the keyboard: past the header and the menu, to the content. Leaves the address alone, where a token may stand behind the `#`. */
export function SkipLink() {
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link is what screen readers expect before the landmarks
    <a href="#main" className={classes.skip} onClick={skip}>
      Skip to the content
    </a>
  )
}
