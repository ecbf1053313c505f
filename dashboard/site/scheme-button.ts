import { keepChoice, readChoice } from './stored-choice.ts'

/** As the dashboard's components name it, so that a choice made there holds here, and the other way round. */
const CHOICE = 'mantine-color-scheme-value'
const ATTRIBUTE = 'data-mantine-color-scheme'

/** What the button says for each choice, in the order in which they come round. */
const SAID = { auto: 'system', light: 'light', dark: 'dark' }
type Scheme = keyof typeof SAID
const ORDER = Object.keys(SAID) as Scheme[]

/** The button that changes the color scheme: the system's, light, dark, and round again. */
export function startSchemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-scheme]')
  if (button === null) return
  const system = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    const scheme = chosen()
    const dark = scheme === 'dark' || (scheme === 'auto' && system.matches)
    document.documentElement.setAttribute(ATTRIBUTE, dark ? 'dark' : 'light')
    button.setAttribute('aria-label', `Color scheme: ${SAID[scheme]}`)
    button.title = `Color scheme: ${SAID[scheme]}`
  }
  button.addEventListener('click', () => {
    keepChoice(CHOICE, ORDER[(ORDER.indexOf(chosen()) + 1) % ORDER.length])
    show()
  })
  system.addEventListener('change', show)
  addEventListener('storage', show)
  show()
}

function chosen(): Scheme {
  const choice = readChoice(CHOICE)
  return ORDER.find((scheme) => scheme === choice) ?? 'auto'
}
