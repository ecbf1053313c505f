import type { Page } from 'playwright-core'
import { settled } from './visitors.ts'

/** Characters per finding. */
const TEXT_MAX = 60

/** Controls that can be reached by Tab; of a group of radio buttons, the first. */
const TABBABLE = 'a[href], button, input, select, textarea, summary, [tabindex]'

/** Reports controls that extend beyond the sides of the window and are in nothing that scrolls sideways. */
export async function cutOff(page: Page, where: string): Promise<string[]> {
  const texts = await page.evaluate(
    ({ selector, length }) => {
      const scrolls = (element: Element | null): boolean => {
        for (let one = element; one !== null && one !== document.body; one = one.parentElement) {
          if (/auto|scroll/.test(getComputedStyle(one).overflowX)) return true
        }
        return false
      }
      return [...document.querySelectorAll(selector)]
        .filter((element) => {
          if (element instanceof HTMLElement && element.tabIndex < 0) return false
          const { left, right, width } = element.getBoundingClientRect()
          // Visually hidden controls have a pixel.
          return width > 1 && (left < -1 || right > innerWidth + 1) && !scrolls(element.parentElement)
        })
        .map((element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, length))
    },
    { selector: TABBABLE, length: TEXT_MAX },
  )
  return texts.map((text) => `${where}: is cut off: ${text}`)
}

/** Reports tables that scroll sideways and cannot be reached by Tab (WCAG 2.1.1): Safari focuses no region by itself. */
export async function unreachableScrollers(page: Page, where: string): Promise<string[]> {
  const texts = await page.evaluate(
    ({ selector, length }) =>
      [...document.querySelectorAll<HTMLElement>('div:has(> table)')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .filter((frame) => frame.tabIndex < 0 && frame.querySelector(selector) === null)
        .map((frame) => (frame.textContent ?? '').slice(0, length)),
    { selector: TABBABLE, length: TEXT_MAX },
  )
  return texts.map((text) => `${where}: scrolls, but not by keyboard: ${text}`)
}

/** Reports names of rows that have less than the width of a word, and badges whose text is cut off, but not on cards. */
export async function squeezedCells(page: Page, where: string): Promise<string[]> {
  const texts = await page.evaluate(
    ({ width, length }) => {
      if (matchMedia('(max-width: 48em)').matches) return []
      const names = [...document.querySelectorAll<HTMLElement>('main tbody th[scope="row"]')].filter(
        (cell) => cell.offsetWidth < width,
      )
      const badges = [...document.querySelectorAll<HTMLElement>('main table .mantine-Badge-label')].filter(
        ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1,
      )
      return [...names, ...badges].map(({ textContent }) => (textContent ?? '').slice(0, length))
    },
    { width: NAME_WIDTH_MIN, length: TEXT_MAX },
  )
  return [...new Set(texts)].map((text) => `${where}: has too little room: ${text}`)
}

/** Pixels, with the padding of a cell. */
const NAME_WIDTH_MIN = 120

/**
 * Walks through the page by Tab. Reports controls that are not reached, whose focus cannot be seen, or that are covered while they
 * have the focus (WCAG 2.4.7 and 2.4.11).
 */
export async function tabFindings(page: Page, where: string): Promise<string[]> {
  await page.evaluate(installWalk, TABBABLE)
  const found = new Set<string>()
  // A heading that has the focus is not the start of the page: the second round has what precedes it.
  for (let stop = 0, rounds = 0; stop < STOPS_MAX && rounds < 2; stop++) {
    await page.keyboard.press('Tab')
    const { problem, isEnd, isAll } = await page.evaluate(() => window.tabWalk.look())
    if (problem !== undefined) found.add(problem)
    if (isEnd) rounds++
    if (isAll) break
  }
  const missed = await page.evaluate(() => window.tabWalk.remaining())
  return [...found, ...missed.map((name) => `is not reached by Tab: ${name}`)].map((problem) => `${where}: ${problem}`)
}

/** More than any page has: a field for a date and a time has seven. */
const STOPS_MAX = 400

interface TabWalk {
  /** The names of the controls that have not had the focus. */
  readonly remaining: () => string[]
  /** A problem of the control that has the focus. `isEnd`: the focus is behind the last one; `isAll`: all have had it. */
  readonly look: () => Promise<{
    readonly problem?: string | undefined
    readonly isEnd?: boolean
    readonly isAll?: boolean
  }>
}

declare global {
  interface Window {
    tabWalk: TabWalk
  }
}

/** Runs in the page. */
function installWalk(selector: string): void {
  const isVisible = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
  const controls = () =>
    [...document.querySelectorAll<HTMLElement | SVGElement>(selector)].filter((element) => {
      if (element.tabIndex < 0 || element.matches(':disabled') || !isVisible(element)) return false
      return element.closest('[inert], [aria-hidden="true"]') === null
    })
  const nameOf = (element: Element) =>
    `<${element.tagName.toLowerCase()}> ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 60) ?? ''}`
  /** Of an input, the style may change beside it or around it. */
  const styleOf = (element: Element) =>
    [element, element.parentElement, element.nextElementSibling, element.nextElementSibling?.firstElementChild]
      .filter((each) => each instanceof Element)
      .map((each) => {
        const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } = getComputedStyle(each)
        const outline = outlineStyle === 'none' ? '' : outlineWidth
        return [outline, boxShadow, borderColor, backgroundColor].join(' ')
      })
      .join()
  const before = new Map<Element, string>(controls().map((element) => [element, styleOf(element)]))
  const reached = new Set<Element>()
  const isChosenWith = (element: Element) =>
    element instanceof HTMLInputElement &&
    element.type === 'radio' &&
    [...reached].some((other) => other instanceof HTMLInputElement && other.name === element.name)
  const isCovered = (element: Element) => {
    const rects = [...element.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    if (rects.length === 0) return false
    return !rects.some(({ left, top, width, bottom }) => {
      // Of the part in the window: a table that scrolls sideways may be higher.
      const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
      return [0.5, 0.1, 0.9].some((part) => {
        const hit = document.elementFromPoint(left + width * part, middle)
        return hit !== null && (element.contains(hit) || hit.contains(element) || hit.closest('label') !== null)
      })
    })
  }
  window.tabWalk = {
    remaining: () =>
      controls()
        .filter((element) => before.has(element) && !reached.has(element) && !isChosenWith(element))
        .map(nameOf),
    async look() {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      // Styles keep their values until their transitions end: with reduced motion very short ones, of every element.
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
      const element = document.activeElement
      if (element === null || element === document.body)
        return { isEnd: true, isAll: window.tabWalk.remaining().length === 0 }
      const isFirst = !reached.has(element)
      reached.add(element)
      const style = before.get(element)
      if (!isFirst || style === undefined) return {}
      if (style === styleOf(element)) return { problem: `the focus cannot be seen on ${nameOf(element)}` }
      return { problem: isCovered(element) ? `has the focus while it is covered: ${nameOf(element)}` : undefined }
    },
  }
}

/**
 * Reports names in right-to-left scripts that can reorder the text around them (see `<bdi>`), and those that are shown from
 * left to right, which moves their punctuation to the wrong end (see `dir="auto"`).
 */
export async function mixedDirections(page: Page, where: string): Promise<string[]> {
  const texts = await page.evaluate((length) => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const isIsolated = (text: Node): boolean => {
      if (/[\u2067\u2068][^\u2069]*[\u0590-\u08ff]/.test(text.textContent ?? '')) return true
      for (let one = text.parentElement; one !== null; one = one.parentElement) {
        const { unicodeBidi, direction, display } = getComputedStyle(one)
        if (unicodeBidi === 'plaintext') return true
        if (display !== 'inline' || unicodeBidi.startsWith('isolate')) return direction === 'rtl'
      }
      return true
    }
    const isShown = (element: Element | null) =>
      element?.checkVisibility() === true && element.closest('script, style') === null
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
      const content = text.textContent ?? ''
      // A single letter, such as the initial of a person, has nothing to reorder.
      const hasNames = /[\u0590-\u08ff]/.test(content) && content.trim().length > 1
      if (hasNames && isShown(text.parentElement) && !isIsolated(text)) found.push(content.slice(0, length))
    }
    for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      const { unicodeBidi, direction } = getComputedStyle(field)
      if (/^[\u0590-\u08ff]/.test(field.value) && unicodeBidi !== 'plaintext' && direction !== 'rtl')
        found.push(`field ${field.value.slice(0, length)}`)
    }
    return found
  }, TEXT_MAX)
  return [...new Set(texts)].map((text) => `${where}: has a name in the wrong direction: ${text}`)
}

/** Reports halves of characters: a name must not be cut between the two code units of a character. */
export async function brokenCharacters(page: Page, where: string): Promise<string[]> {
  const texts = await page.evaluate(() => document.body.innerText)
  return texts
    .split('\n')
    .filter((text) => !text.isWellFormed() || text.includes('\ufffd'))
    .map((text) => `${where}: has half a character: ${text.slice(0, TEXT_MAX)}`)
}

/** Reports a page whose contents moved while it was loading: a cumulative layout shift above 0.05. */
export async function layoutShift(page: Page, where: string): Promise<string[]> {
  const moved = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )
  return moved <= 0.05 ? [] : [`${where}: moves by ${moved.toFixed(3)} while it loads`]
}

/** Reports what does not show that it is chosen while the colors are forced, as by Windows high contrast. */
export async function unmarkedChoices(page: Page, where: string): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.waitForFunction(() => matchMedia('(forced-colors: active)').matches)
  // A style that has a transition keeps its value until it ends.
  await settled(page)
  const texts = await page.evaluate(() => {
    const outlineOf = (element: Element) => {
      const { outlineStyle, borderBottomWidth } = getComputedStyle(element)
      return `${outlineStyle} ${borderBottomWidth}`
    }
    const pairs = [
      ['.mantine-SegmentedControl-root', '.mantine-SegmentedControl-label', '[data-active]'],
      ['nav', '.mantine-NavLink-root', '[aria-current="page"]'],
      ['[role="tablist"]', '[role="tab"]', '[aria-selected="true"]'],
    ] as const
    const found: string[] = []
    for (const [group, item, chosen] of pairs) {
      for (const element of document.querySelectorAll(group)) {
        const one = element.querySelector(`${item}${chosen}`)
        const other = element.querySelector(`${item}:not(${chosen})`)
        if (one !== null && other !== null && outlineOf(one) === outlineOf(other))
          found.push(`${item} ${one.textContent}`)
      }
    }
    for (const track of document.querySelectorAll('.mantine-Switch-track')) {
      if (getComputedStyle(track).borderBottomWidth === '0px') found.push('a switch')
    }
    return found
  })
  await page.emulateMedia({ forcedColors: 'none' })
  return texts.map((text) => `${where}: does not show the choice: ${text}`)
}
