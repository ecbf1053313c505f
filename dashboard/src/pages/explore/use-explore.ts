import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { exploreSlotsQuery } from '../../api/queries.ts'
import type { SlotPage } from './api-slot.ts'
import {
  type ExploreChange,
  type ExploreState,
  formatExploreState,
  parseExploreState,
  refine,
  slotParameters,
} from './explore-state.ts'

/** The state of the page from its URL, and functions that change it. Each change is a history entry. */
export interface Explore {
  readonly state: ExploreState
  /** Changes filters or the order, and goes to the first page. */
  readonly refine: (change: ExploreChange) => void
  /** Changes anything else. */
  readonly go: (state: ExploreState) => void
}

export function useExplore(): Explore {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => parseExploreState(search), [search])
  const go = useCallback(
    (next: ExploreState) => void navigate({ to: '/app/explore', search: formatExploreState(next), resetScroll: false }),
    [navigate],
  )
  return { state, go, refine: (change) => go(refine(state, change)) }
}

/** Opens and closes a slot over the list. Closing goes back in history if the slot was opened on this page. */
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
      else navigate({ to: '/app/explore', search: formatExploreState(rest), replace: true, resetScroll: false })
      openedHere.current = false
    },
  }
}

/** The page of slots that is shown. */
export interface ShownSlots {
  readonly data: SlotPage | undefined
  /** Milliseconds since 1970. */
  readonly loadedAtMs: number
  /** The page is of an earlier query. */
  readonly isOutdated: boolean
  readonly isFetching: boolean
  /** The service did not respond to the query. */
  readonly isUnreachable: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** The current page of slots; the previous page while loading, and while the service cannot be reached. */
export function useSlots(state: ExploreState): ShownSlots {
  const slots = useQuery(exploreSlotsQuery(slotParameters(state)))
  const { data, error, isPlaceholderData, dataUpdatedAt } = slots
  const [kept, keep] = useState<{ page: SlotPage; loadedAtMs: number }>()
  if (data !== undefined && !isPlaceholderData && (data !== kept?.page || dataUpdatedAt !== kept.loadedAtMs))
    keep({ page: data, loadedAtMs: dataUpdatedAt })
  const isUnreachable = error instanceof ApiError && error.status === 0
  return {
    data: data ?? (isUnreachable ? kept?.page : undefined),
    loadedAtMs: kept?.loadedAtMs ?? 0,
    isOutdated: data === undefined || isPlaceholderData,
    isFetching: slots.isFetching,
    isUnreachable,
    error,
    retry: () => void slots.refetch(),
  }
}

/** The server's error about a query parameter; undefined for other errors. */
export function parameterError(error: unknown): { field: string; message: string } | undefined {
  if (!(error instanceof ApiError) || error.status !== 400 || error.field === undefined) return undefined
  return { field: error.field, message: error.message }
}
