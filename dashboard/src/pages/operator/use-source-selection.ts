import { useRef, useState } from 'react'

/** The selected sources of a list, by slug. They stay selected on other pages of the list. */
export interface SourceSelection {
  readonly selected: ReadonlySet<string>
  /** Selects a source or ends its selection; with `isRange` also the sources since the last one. */
  readonly toggle: (slug: string, isRange?: boolean) => void
  readonly add: (slugs: readonly string[]) => void
  readonly remove: (slugs: readonly string[]) => void
  readonly clear: () => void
}

/** The selection of a list with these `conditions`, and `shown` on its page. Other conditions begin another selection. */
export function useSourceSelection(conditions: string, shown: readonly string[]): SourceSelection {
  const [state, setState] = useState<{ conditions: string; selected: ReadonlySet<string> }>({
    conditions,
    selected: NONE,
  })
  const last = useRef<string>(undefined)
  const selected = state.conditions === conditions ? state.selected : NONE
  const change = (slugs: readonly string[], isSelected: boolean) =>
    setState((before) => {
      const next = new Set(before.conditions === conditions ? before.selected : NONE)
      for (const slug of slugs) isSelected ? next.add(slug) : next.delete(slug)
      return { conditions, selected: next }
    })
  return {
    selected,
    toggle(slug, isRange = false) {
      change(isRange ? rangeOf(shown, last.current ?? slug, slug) : [slug], !selected.has(slug))
      last.current = slug
    },
    add: (slugs) => change(slugs, true),
    remove: (slugs) => change(slugs, false),
    clear: () => change([...selected], false),
  }
}

const NONE: ReadonlySet<string> = new Set()

/** The slugs between two of them, both included. */
function rangeOf(shown: readonly string[], from: string, to: string): readonly string[] {
  const [first, last] = [shown.indexOf(from), shown.indexOf(to)]
  return first === -1 ? [to] : shown.slice(Math.min(first, last), Math.max(first, last) + 1)
}
