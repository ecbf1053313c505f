import type { MouseEvent } from 'react'
import classes from './layout.module.css'

/** The first tab stop: skips the header and the menu. Does not change the URL, whose fragment may hold a token. */
export function SkipLink() {
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link is what screen readers expect before the landmarks
    <a href="#main" className={classes.skip} onClick={skip}>
      Skip to content
    </a>
  )
}
