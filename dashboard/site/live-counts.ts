import type { FrontPageCounts } from '../../src/http/public-counts.ts'
import { captionOf, summaryOf } from './counts-text.ts'

const EVERY_MS = 30_000

/** Shows the counts of now on the front page, in words and in its map; without any, the map stays an illustration. */
export function startLiveCounts(): void {
  const line = document.querySelector<HTMLElement>('[data-counts]')
  const path = line?.dataset.counts
  if (!line || !path) return
  const update = async () => {
    if (document.hidden) return
    const response = await fetch(path)
    if (response.ok) show(line, await response.json())
  }
  const tryUpdate = () => void update().catch(() => undefined)
  tryUpdate()
  setInterval(tryUpdate, EVERY_MS)
}

function show(line: HTMLElement, counts: FrontPageCounts): void {
  const map = document.querySelector<SVGElement>('.picture')
  const caption = document.querySelector('.picture-caption')
  if (counts.slots === 0 || !map || !caption) return
  line.textContent = summaryOf(counts)
  caption.textContent = 'Open slots by state'
  map.classList.add('live')
  map.setAttribute('aria-label', captionOf(counts))
  const max = Math.max(1, ...Object.values(counts.states))
  for (const tile of map.querySelectorAll<SVGElement>('[data-state]')) {
    const count = counts.states[tile.dataset.state ?? ''] ?? 0
    // By the square root, so that the largest state does not make all others look empty.
    tile.style.setProperty('--heat', `${60 * Math.sqrt(count / max)}%`)
    const text = tile.querySelector('.n')
    if (text) text.textContent = count.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })
  }
}
