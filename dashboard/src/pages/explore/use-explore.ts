import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef } from 'react'
import { ApiError } from '../../api/client.ts'
import { exploreSlotsQuery } from '../../api/queries.ts'
import type { SlotPage } from './api-slot.ts'
import {
  type ExploreState,
  type Filter,
  formatExploreState,
  parseExploreState,
  refine,
  slotParameters,
} from './explore-state.ts'

/** What the page shows, as its address says, and how to change it: each change is a step that Back takes back. */
export interface Explore {
  readonly state: ExploreState
  /** Changes filters, and goes to the first page. */
  readonly refine: (change: Partial<Record<Filter, string | undefined>>) => void
  /** Changes anything else. */
  readonly go: (state: ExploreState) => void
}

export function useExplore(): Explore {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => parseExploreState(search), [search])
  const go = useCallback(
    (next: ExploreState) =>
      void navigate({ to: '/app/explore', search: formatExploreState(next), resetScroll: false }),
    [navigate],
  )
  return { state, go, refine: (change) => go(refine(state, change)) }
}

/** Opens one slot over the list, and closes it. Closing is the same step back as the browser's, if the slot was opened here. */
export function useOpenSlot({ state, go }: Explore): { open: (id: string) => void; close: () => void } {
  const router = useRouter()
  const navigate = useNavigate()
  const openedHere = useRef(false)
  const { slot: _, ...rest } = state
  return {
    open: (id) => {
      openedHere.current = true
      go({ ...state, slot: id })
    },
    close: () => {
      if (openedHere.current) router.history.back()
      else
        navigate({ to: '/app/explore', search: formatExploreState(rest), replace: true, resetScroll: false })
      openedHere.current = false
    },
  }
}

/** The page of slots that the address asks for; the one before stays while the next is on its way. */
export function useSlots(state: ExploreState) {
  return useQuery(exploreSlotsQuery<SlotPage>(slotParameters(state)))
}

/** What the service said about one parameter; undefined if that is not what is wrong. */
export function parameterError(error: unknown): { field: string; message: string } | undefined {
  if (!(error instanceof ApiError) || error.status !== 400 || error.field === undefined) return undefined
  return { field: error.field, message: error.message }
}
