const ATTRIBUTE = 'data-mantine-color-scheme'

/** The scheme that the page is shown in: colour-scheme.js or the button has put it on the root. */
export function schemeNow(): 'dark' | 'light' {
  return document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'dark' : 'light'
}

/** Lets the reference change its scheme with the page: it reads it from a class of the body. */
export function followScheme(): void {
  const follow = () => {
    document.body.classList.toggle('dark-mode', schemeNow() === 'dark')
    document.body.classList.toggle('light-mode', schemeNow() === 'light')
  }
  new MutationObserver(follow).observe(document.documentElement, { attributeFilter: [ATTRIBUTE] })
  follow()
}
