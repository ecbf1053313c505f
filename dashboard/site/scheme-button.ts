import { keepChoice, readChoice } from './stored-choice.ts'

/** Mantine's storage key, so that site and dashboard share the choice. */
const CHOICE = 'mantine-color-scheme-value'
const ATTRIBUTE = 'data-mantine-color-scheme'

/** Labels of the schemes, in the order of the button. */
const LABELS = { auto: 'system', light: 'light', dark: 'dark' }
type Scheme = keyof typeof LABELS
const ORDER = Object.keys(LABELS) as Scheme[]

/** The button that cycles through the color schemes: system, light, dark. */
export function startSchemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-scheme]')
  if (button === null) return
  const system = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    const scheme = chosen()
    const dark = scheme === 'dark' || (scheme === 'auto' && system.matches)
    document.documentElement.setAttribute(ATTRIBUTE, dark ? 'dark' : 'light')
    button.setAttribute('aria-label', `Color scheme: ${LABELS[scheme]}`)
    button.title = `Color scheme: ${LABELS[scheme]}`
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
